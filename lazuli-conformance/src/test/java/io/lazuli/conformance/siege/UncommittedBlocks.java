package io.lazuli.conformance.siege;

import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.wire.Keys;
import io.lazuli.conformance.wire.WireAnswer;
import java.io.IOException;

/** Blobs with as many uncommitted blocks as the service allows, and clients that list them. */
final class UncommittedBlocks implements Attack {

  private static final int BLOCKS_MAX = 100_000;

  @Override
  public String name() {
    return "blocks";
  }

  @Override
  public void prepare(Target target, Strength strength) throws IOException {
    Stock.publicContainer(target, 1);
  }

  private static int blobs(Strength strength) {
    return strength.of(1, 3);
  }

  private static int blocks(Strength strength) {
    return strength.of(300, BLOCKS_MAX);
  }

  @Override
  public String run(Target target, Strength strength) throws IOException {
    for (int blob = 0; blob < blobs(strength); blob++) {
      Stock.blocks(target, "parts" + blob, blocks(strength), new byte[1]);
    }
    byte[] list =
        target
            .signed(StorageService.BLOB, "GET", "/open/parts0?comp=blocklist&blocklisttype=all")
            .bytes();
    try (Attackers attackers = new Attackers(target, 200)) {
      attackers.keep(
          strength.of(10, 150), () -> Attacker.sends(StorageService.BLOB, list).reading(0));
      attackers.run(strength.period());
      attackers.look();
      return "%d blobs with %,d blocks each; ".formatted(blobs(strength), blocks(strength))
          + attackers.summary();
    }
  }

  @Override
  public void check(Target target, Strength strength) throws IOException {
    for (int blob = 0; blob < blobs(strength); blob++) {
      String resource = "/open/parts" + blob + "?comp=block";
      String id = Keys.encode(Stock.blockId(BLOCKS_MAX));
      WireAnswer answer =
          target
              .wire(StorageService.BLOB)
              .request("PUT", resource + "&blockid=" + id)
              .body("x")
              .send();
      int expected = blocks(strength) < BLOCKS_MAX ? 201 : 409;
      if (answer.status() != expected) {
        throw new IOException("one more block: " + answer.statusLine());
      }
    }
  }
}
