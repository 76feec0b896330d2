package io.lazuli.conformance.siege;

import java.util.List;
import java.util.Set;

/** All attacks, in the order in which the suite runs them. */
final class Attacks {

  /** The attacks that the server does not withstand yet: heads have no budget. */
  private static final Set<String> PENDING = Set.of("heads", "pipelining", "odd-headers");

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

  /** Returns the attacks that the server must withstand. */
  static List<Attack> withstood() {
    return all().stream().filter(each -> !PENDING.contains(each.name())).toList();
  }

  static Attack named(String name) {
    return all().stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
  }
}
