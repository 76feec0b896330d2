package io.lazuli.conformance.siege;

import io.lazuli.conformance.StorageService;
import java.io.IOException;
import java.util.stream.Stream;

/** Clients that list containers and queues with much metadata; half of them do not read. */
final class LargeListings implements Attack {

  @Override
  public String name() {
    return "listings";
  }

  @Override
  public void prepare(Target target, Strength strength) throws IOException {
    Stock.containers(target, count(strength));
    Stock.queues(target, count(strength));
  }

  private static int count(Strength strength) {
    return strength.of(150, 5_000);
  }

  @Override
  public String run(Target target, Strength strength) throws IOException {
    try (Attackers attackers = new Attackers(target, 200)) {
      for (StorageService service :
          new StorageService[] {StorageService.BLOB, StorageService.QUEUE}) {
        byte[] list =
            target.signed(service, "GET", "/?comp=list&include=metadata&prefix=wide").bytes();
        attackers.keep(
            4,
            () -> Attacker.sendsAll(service, Stream.generate(() -> list).iterator()).withWindow(1));
        attackers.keep(strength.of(8, 100), () -> Attacker.sends(service, list).reading(0));
      }
      attackers.run(strength.period());
      attackers.look();
      return attackers.summary();
    }
  }

  @Override
  public void check(Target target, Strength strength) throws IOException {
    String listing = "/?comp=list&include=metadata&prefix=wide";
    Pages.require(target, StorageService.BLOB, listing, count(strength));
    Pages.require(target, StorageService.QUEUE, listing, count(strength));
  }
}
