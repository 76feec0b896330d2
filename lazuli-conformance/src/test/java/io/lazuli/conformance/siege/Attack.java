package io.lazuli.conformance.siege;

import java.io.IOException;

/** One kind of attack. It closes all its connections before it returns. */
interface Attack {

  /** Returns the name by which the command selects the attack. */
  String name();

  /** Returns true if the attack needs a server that uses TLS. */
  default boolean isSecure() {
    return false;
  }

  /** Returns true if the server has ended, as intended, when the attack is over. */
  default boolean endsServer() {
    return false;
  }

  /**
   * Returns true if the attack takes all connections that the server admits. Clients that come
   * later may then be refused.
   */
  default boolean takesConnections() {
    return false;
  }

  /** Stores what the attack needs, before the legitimate client begins. */
  default void prepare(Target target, Strength strength) throws IOException {}

  /** Attacks. Returns a description of what was offered and what came of it. */
  String run(Target target, Strength strength) throws IOException;

  /** Checks conditions of this attack, in addition to those of every attack. */
  default void check(Target target, Strength strength) throws IOException {}
}
