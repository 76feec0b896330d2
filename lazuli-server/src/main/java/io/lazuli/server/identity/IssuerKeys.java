package io.lazuli.server.identity;

import java.util.concurrent.CompletionStage;

/** The keys of one issuer, which change while the server runs. Thread-safe. */
interface IssuerKeys {
  /** Returns the keys in force. The same object means the same keys. */
  KeySet current();

  /**
   * Asks the issuer again if that is due, because a token names an unknown key. The stage completes
   * with the keys in force after that; it never fails.
   */
  CompletionStage<KeySet> newer();

  /** Returns one line if the keys could not be read the last time; empty otherwise. */
  String trouble();
}
