package io.lazuli.conformance.siege;

import io.lazuli.conformance.StorageService;
import java.io.IOException;
import java.util.Arrays;

/**
 * Connections that are opened and reset at once: silent, after half a request, after a whole one.
 */
final class ConnectionChurn implements Attack {

  @Override
  public String name() {
    return "churn";
  }

  @Override
  public void prepare(Target target, Strength strength) throws IOException {
    Stock.publicContainer(target, 20);
  }

  @Override
  public String run(Target target, Strength strength) throws IOException {
    byte[] list = target.anonymous(StorageService.BLOB, "GET", Stock.PUBLIC_LISTING).bytes();
    byte[] half = Arrays.copyOf(list, list.length / 2);
    int each = strength.of(4, 16);
    int wanted = strength.of(2_000, 100_000);
    try (Attackers attackers = new Attackers(target, 200)) {
      for (StorageService service : StorageService.values()) {
        attackers.keep(each, () -> Attacker.sends(service).leaving());
        attackers.keep(each, () -> Attacker.sends(service, half).leaving());
        attackers.keep(each, () -> Attacker.sends(service, list).leaving());
      }
      attackers.run(strength.period(), () -> attackers.established() >= wanted);
      return attackers.summary();
    }
  }
}
