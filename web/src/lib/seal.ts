/** Sealed dice, checked in the page: the seed fits the hash shown first, and gives exactly the dice that were rolled. */

export type Roll = [sides: number, faces: number[]];
export type Verdict = "fits" | "wrong-seed" | "wrong-dice" | "cannot";

const PREFIX = new TextEncoder().encode("grognard sealed dice");

export function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(hex.length / 2);
  for (let i = 0; i < bytes.length; i++) bytes[i] = parseInt(hex.slice(2 * i, 2 * i + 2), 16);
  return bytes;
}

export function hexOf(bytes: ArrayBuffer): string {
  return [...new Uint8Array(bytes)].map((b) => b.toString(16).padStart(2, "0")).join("");
}

function joined(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((n, p) => n + p.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** What players added to the seed, as they wrote it. */
export function wordsOf(contributions: string[]): string[] {
  return contributions.map((part) => new TextDecoder().decode(bytesOf(part)));
}

/** The hash the players saw before the first die. */
export async function commitment(seed: string): Promise<string> {
  return hexOf(await crypto.subtle.digest("SHA-256", joined([PREFIX, bytesOf(seed)])));
}

/** The same stream of bytes as the server's dice. */
class Stream {
  #counter = 0;
  #buffer: number[] = [];

  constructor(private readonly key: CryptoKey) {}

  static async of(seed: string, contributions: string[]): Promise<Stream> {
    const parts = [seed, ...contributions].map(bytesOf).flatMap((part) => {
      const length = new Uint8Array(4);
      new DataView(length.buffer).setUint32(0, part.length);
      return [length, part];
    });
    const digest = await crypto.subtle.digest("SHA-256", joined(parts));
    const key = await crypto.subtle.importKey("raw", digest, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    return new Stream(key);
  }

  async #byte(): Promise<number> {
    if (!this.#buffer.length) {
      const block = new Uint8Array(8);
      new DataView(block.buffer).setBigUint64(0, BigInt(this.#counter++));
      this.#buffer = [...new Uint8Array(await crypto.subtle.sign("HMAC", this.key, block))];
    }
    return this.#buffer.shift()!;
  }

  async face(sides: number): Promise<number> {
    const size = sides <= 256 ? 1 : 4;
    const limit = 256 ** size - (256 ** size % sides);
    for (;;) {
      let number = 0;
      for (let i = 0; i < size; i++) number = number * 256 + (await this.#byte());
      if (number < limit) return (number % sides) + 1;
    }
  }
}

/** Whether seed, seal and rolls belong together. */
export async function verify(seal: string, seed: string, contributions: string[], rolls: Roll[]): Promise<Verdict> {
  if (!globalThis.crypto?.subtle) return "cannot";
  if ((await commitment(seed)) !== seal) return "wrong-seed";
  const stream = await Stream.of(seed, contributions);
  for (const [sides, faces] of rolls) {
    for (const face of faces) if ((await stream.face(sides)) !== face) return "wrong-dice";
  }
  return "fits";
}
