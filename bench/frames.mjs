// What the load process finds in a stream, without parsing it.
const LF = 10;

/** Counts frames, which end with an empty line. */
export class FrameCounter {
  count = 0;
  #halfway = false;

  read(chunk) {
    let from = 0;
    if (this.#halfway && chunk[0] === LF) {
      this.count++;
      from = 1;
    }
    for (;;) {
      const at = chunk.indexOf('\n\n', from, 'latin1');
      if (at < 0) break;
      this.count++;
      from = at + 2;
    }
    this.#halfway = from < chunk.length && chunk[chunk.length - 1] === LF;
  }
}
