package io.lazuli.storage.history.queue;

import io.lazuli.storage.history.Call;

/**
 * The part of a call that concerns one message.
 *
 * @param end {@link Call#NEVER} if the answer was lost
 * @param used the receipt in the request; empty if there is none
 * @param issued the receipt in the answer; empty if there is none
 * @param seconds how long the message is invisible afterwards
 * @param dequeues the number of hand-outs in the answer
 */
record MessageEvent(
    Kind kind,
    long start,
    long end,
    int client,
    String used,
    String issued,
    int seconds,
    int dequeues) {
  enum Kind {
    PUT,
    HAND_OUT,
    UPDATE,
    DELETE,
    PEEK,
    /** An update or a delete whose receipt was refused. */
    REFUSED
  }

  boolean isLost() {
    return end == Call.NEVER;
  }

  String line(long origin) {
    StringBuilder text = new StringBuilder(kind.toString());
    if (kind == Kind.HAND_OUT || kind == Kind.PEEK) {
      text.append(", hand-out ").append(dequeues);
    }
    if (kind == Kind.HAND_OUT || kind == Kind.UPDATE) {
      text.append(", invisible for ").append(seconds).append(" s");
    }
    text.append(used.isEmpty() ? "" : ", with " + used);
    text.append(issued.isEmpty() ? "" : " -> " + issued);
    return Call.line(start, end, origin, client, text.toString());
  }
}
