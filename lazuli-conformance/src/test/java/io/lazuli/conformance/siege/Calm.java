package io.lazuli.conformance.siege;

import java.io.IOException;

/** No attack at all: the figures of the legitimate client with which others are compared. */
final class Calm implements Attack {

  @Override
  public String name() {
    return "none";
  }

  @Override
  public String run(Target target, Strength strength) throws IOException {
    try (Attackers nobody = new Attackers(target, 1)) {
      nobody.run(strength.period());
      return "";
    }
  }
}
