/** What a person chose for this browser: language, light or dark, what is shown on the table. */
import * as api from "./api";
import type { Lang } from "./protocol";
import { dictionary } from "./words.svelte";

export type Theme = "auto" | "light" | "dark";
const KEY = "grognard.settings";

interface Kept {
  lang: Lang;
  theme: Theme;
  labels: boolean;
  zones: boolean;
}

function read(): Kept {
  const lang: Lang = navigator.language.toLowerCase().startsWith("fr") ? "fr" : "en";
  const usual: Kept = { lang, theme: "auto", labels: true, zones: true };
  try {
    return { ...usual, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Kept>) };
  } catch {
    return usual;
  }
}

class Settings {
  #kept = $state(read());

  get theme(): Theme {
    return this.#kept.theme;
  }
  get labels(): boolean {
    return this.#kept.labels;
  }
  get zones(): boolean {
    return this.#kept.zones;
  }
  get lang(): Lang {
    return this.#kept.lang;
  }

  change(part: Partial<Kept>): void {
    Object.assign(this.#kept, part);
    try {
      localStorage.setItem(KEY, JSON.stringify(this.#kept));
    } catch {
      // private windows may refuse; the choice then lasts as long as the page
    }
    this.apply();
  }

  apply(): void {
    const root = document.documentElement;
    if (this.#kept.theme === "auto") root.removeAttribute("data-theme");
    else root.dataset.theme = this.#kept.theme;
    void this.speak(this.#kept.lang);
  }

  #game = "";
  #read: string | null = null;

  /** Use the words of a game; "" is none in particular. */
  async at(game: string): Promise<void> {
    this.#game = game;
    await this.speak(this.#kept.lang);
  }

  /** Switch the language without losing anything on the table. */
  async speak(lang: Lang): Promise<void> {
    const game = this.#game;
    if (lang === "fr" && this.#read !== game) {
      try {
        const french = await api.catalogue("fr", game);
        if (game !== this.#game) return;
        dictionary.french = french;
        this.#read = game;
      } catch {
        // the page stays as it is until the server answers again
      }
    }
    dictionary.lang = lang;
    document.documentElement.lang = lang;
  }
}

export const settings = new Settings();
