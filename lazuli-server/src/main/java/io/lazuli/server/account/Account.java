package io.lazuli.server.account;

import java.util.List;

/**
 * A storage account.
 *
 * @param keys one or two; each is good for everything
 */
public record Account(String name, List<AccountKey> keys) {
  private static final String DEVELOPMENT_KEY =
      "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

  public Account {
    keys = List.copyOf(keys);
  }

  /** The account that every emulator has; its key is public. */
  public static Account development() {
    return new Account("devstoreaccount1", List.of(new AccountKey(DEVELOPMENT_KEY)));
  }
}
