package io.lazuli.conformance.siege;

import io.lazuli.conformance.StorageService;
import java.io.IOException;

/**
 * Queries for entities of U+0001, which are six times as long in JSON; nobody reads the answers.
 */
final class ControlCharacters implements Attack {

  @Override
  public String name() {
    return "control-characters";
  }

  @Override
  public void prepare(Target target, Strength strength) throws IOException {
    Stock.largeEntities(target);
  }

  @Override
  public String run(Target target, Strength strength) throws IOException {
    byte[] query = target.signed(StorageService.TABLE, "GET", "/stock()").bytes();
    int clients = strength.count(12, Stock.largePageBytes());
    try (Attackers attackers = new Attackers(target, 200)) {
      attackers.keep(clients, () -> Attacker.sends(StorageService.TABLE, query).reading(0));
      attackers.run(strength.period());
      attackers.look();
      return attackers.summary();
    }
  }

  @Override
  public void check(Target target, Strength strength) throws IOException {
    Pages.requireValues(target, "/stock()", Stock.LARGE_ENTITIES);
  }
}
