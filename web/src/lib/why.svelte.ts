/** What 'why?' is asked about now: a number with its account, or a rule. */
import type { Change } from "./protocol";

export interface Account {
  title: string;
  value: number;
  changes: Change[];
}

class Why {
  open = $state(false);
  /** What the number is, in the language that is read now. */
  title = $state.raw<() => string>(() => "");
  accounts = $state.raw<Account[]>([]);
  rules = $state.raw<string[]>([]);
  /** Shows a moment on the table, where there is one. */
  look = $state.raw<((answer: number) => void) | null>(null);
}

export const why = new Why();

export function showRule(...rules: string[]): void {
  why.title = () => "";
  why.accounts = [];
  why.rules = [...new Set(rules.filter(Boolean))];
  why.open = true;
}

export function showAccounts(title: () => string, accounts: Account[], ...rules: string[]): void {
  why.title = title;
  why.accounts = accounts;
  why.rules = [...new Set(rules.filter(Boolean))];
  why.open = true;
}

/** Whether an account says anything: nothing that was changed by nothing does not. */
const says = (account: Account) => account.value !== 0 || account.changes.length > 1;

/** Every number in an event's data that can say why, with the key it stands under. */
export function accountsIn(data: Record<string, unknown>): Account[] {
  const found: Account[] = [];
  for (const [key, value] of Object.entries(data)) {
    const beside = data[`${key}_why`];
    if (Array.isArray(beside) && typeof value === "number") {
      const title = key === "need" && data.sense === "column" ? "column" : key; // a table is looked up, nothing is needed
      found.push({ title, value, changes: beside as Change[] });
    } else if (value && typeof value === "object" && "why" in value && Array.isArray(value.why)) {
      const number = (value as { value?: unknown }).value;
      if (typeof number === "number") found.push({ title: key, value: number, changes: value.why as Change[] });
    }
  }
  return found.filter(says);
}
