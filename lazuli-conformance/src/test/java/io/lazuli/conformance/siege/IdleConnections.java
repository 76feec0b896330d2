package io.lazuli.conformance.siege;

import io.lazuli.conformance.StorageService;
import java.io.IOException;
import java.time.Duration;

/** As many idle connections as the descriptors of this process allow, from 200 addresses. */
final class IdleConnections implements Attack {

  @Override
  public String name() {
    return "idle";
  }

  @Override
  public boolean takesConnections() {
    return true;
  }

  @Override
  public String run(Target target, Strength strength) throws IOException {
    int each = strength.of(500, Attackers.connectionsMax() / StorageService.values().length - 1);
    try (Attackers attackers = new Attackers(target, 200)) {
      for (StorageService service : StorageService.values()) {
        attackers.add(each, () -> Attacker.sends(service));
      }
      attackers.run(Duration.ofSeconds(60), attackers::hasSentAll);
      attackers.run(strength.period());
      return "%,d wanted, %,d stay open; ".formatted(3 * each, attackers.stillOpen())
          + attackers.summary();
    }
  }
}
