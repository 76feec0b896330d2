package io.lazuli.conformance.siege;

import io.lazuli.conformance.StorageService;
import java.io.IOException;

/** Anonymous clients that list a public container and never read the answer. */
final class UnreadAnswers implements Attack {

  @Override
  public String name() {
    return "unread";
  }

  @Override
  public void prepare(Target target, Strength strength) throws IOException {
    Stock.publicContainer(target, blobs(strength));
  }

  private static int blobs(Strength strength) {
    return strength.of(150, 460);
  }

  @Override
  public String run(Target target, Strength strength) throws IOException {
    byte[] list = target.anonymous(StorageService.BLOB, "GET", Stock.PUBLIC_LISTING).bytes();
    int clients = strength.count(60, (long) blobs(strength) * Stock.METADATA_CHARS);
    try (Attackers attackers = new Attackers(target, 200)) {
      attackers.add(clients, () -> Attacker.sends(StorageService.BLOB, list).reading(0));
      attackers.run(strength.period());
      attackers.look();
      return attackers.summary();
    }
  }
}
