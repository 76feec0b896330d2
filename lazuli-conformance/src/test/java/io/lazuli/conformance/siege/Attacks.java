package io.lazuli.conformance.siege;

import java.util.List;

/** All attacks, in the order in which the suite runs them. */
final class Attacks {

  private Attacks() {}

  /** Returns the attacks. The last one ends the server. */
  static List<Attack> all() {
    return List.of(
        new Calm(),
        new OddHeaders(),
        new Pipelining(),
        new UnfinishedHeads(),
        new UnreadAnswers(),
        new ControlCharacters(),
        new LargeListings(),
        new SlowReaders(),
        new SlowUploads(),
        new IdleConnections(),
        new ConnectionChurn(),
        new ManyNames(),
        new UncommittedBlocks(),
        new Handshakes(),
        new StopUnderSiege());
  }

  static Attack named(String name) {
    return all().stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
  }
}
