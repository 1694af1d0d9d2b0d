import { describe, expect, it } from "vitest";
import { commitment, verify, type Roll } from "../src/lib/seal";

/** Made by grognard.kernel.dice.Sealed(bytes(range(32)), contributions). */
const SEED = Array.from({ length: 32 }, (_, i) => i.toString(16).padStart(2, "0")).join("");
const SEAL = "4bfb917d26ccb4864ba102fbdbfc8fb383ee8198dd7feabae48a5a324a6b2d24";
const ROLLS: Roll[] = JSON.parse("[[10,[7]],[6,[1,2,6,2]],[10,[6,7]],[3,[3]],[6,[6,6,3,2,6,6,6,2,6,3,1,3]],[1000,[445,59,745]],[10,[6]]]") as Roll[];
const WITH: Roll[] = JSON.parse("[[10,[10]],[6,[6,1,2,5]],[10,[4,2]],[3,[3]],[6,[2,6,4,5,5,3,4,6,1,2,3,6]],[1000,[768,163,528]],[10,[5]]]") as Roll[];

describe("sealed dice", () => {
  it("have the hash of their seed", async () => expect(await commitment(SEED)).toBe(SEAL));
  it("are the server's own dice, face by face", async () => {
    expect(await verify(SEAL, SEED, [], ROLLS)).toBe("fits");
    expect(await verify(SEAL, SEED, ["616c696365", "626f62"], WITH)).toBe("fits");
  });
  it("are found out when one die was touched", async () => {
    const touched: Roll[] = ROLLS.map(([sides, faces], i) => (i === 2 ? [sides, faces.map((f) => (f % sides) + 1)] : [sides, faces]));
    expect(await verify(SEAL, SEED, [], touched)).toBe("wrong-dice");
  });
  it("are found out when the seed is another", async () => {
    expect(await verify(SEAL, `ff${SEED.slice(2)}`, [], ROLLS)).toBe("wrong-seed");
  });
});
