/** Whether a click was made by a finger; browsers that do not tell it of the click tell it of the press before. */
let pressed = "";
if (typeof addEventListener === "function") addEventListener("pointerdown", (event) => (pressed = event.pointerType), true);

export function byFinger(event: MouseEvent): boolean {
  if (event.detail === 0) return false; // by a key
  return ((event as Partial<PointerEvent>).pointerType ?? pressed) === "touch";
}
