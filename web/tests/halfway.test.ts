import { beforeEach, expect, test, vi } from "vitest";
import { halfOf, keepHalf, someOf } from "../src/lib/halfway";

const isWord = (made: unknown): made is string => typeof made === "string";

beforeEach(() => {
  const held = new Map<string, string>();
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => held.get(key) ?? null,
    setItem: (key: string, value: string) => held.set(key, value),
    removeItem: (key: string) => held.delete(key),
  });
});

test("what was half made is found again by the same question only", () => {
  const asked = { token: "red", asked: "4 roll red" };
  keepHalf(asked, "3 5");
  expect(halfOf(asked, isWord)).toBe("3 5");
  expect(halfOf({ ...asked, asked: "5 roll red" }, isWord)).toBeNull();
  expect(halfOf({ ...asked, token: "blue" }, isWord)).toBeNull();
  expect(halfOf(asked, (made): made is number => typeof made === "number")).toBeNull();
  keepHalf(asked, null);
  expect(halfOf(asked, isWord)).toBeNull();
});

test("nothing is kept of nobody, and nothing breaks where nothing can be kept", () => {
  keepHalf({ token: "", asked: "" }, "3");
  expect(halfOf({ token: "", asked: "" }, isWord)).toBeNull();
  vi.stubGlobal("sessionStorage", undefined);
  keepHalf({ token: "red", asked: "4" }, "3");
  expect(halfOf({ token: "red", asked: "4" }, isWord)).toBeNull();
});

test("some of the options, each once", () => {
  expect(someOf(["a", "b"])(["b"])).toBe(true);
  expect(someOf(["a", "b"])(["b", "b"])).toBe(false);
  expect(someOf(["a", "b"])(["c"])).toBe(false);
  expect(someOf(["a", "b"])("a")).toBe(false);
});
