package io.lazuli.server.cli;

import java.util.Arrays;
import java.util.Base64;
import java.util.stream.Collectors;

/**
 * The variable AZURITE_ACCOUNTS, {@code name:key[:key];…}. Azurite decodes the keys with Node's
 * base64 decoder, which skips other characters and needs no padding; JavaScript clients do the
 * same. This class turns such keys into proper base64.
 */
final class AzuriteAccounts {
  static final String VARIABLE = "AZURITE_ACCOUNTS";

  private AzuriteAccounts() {}

  static String proper(String text) {
    return Arrays.stream(text.strip().split(";", -1))
        .filter(account -> !account.isEmpty())
        .map(AzuriteAccounts::properAccount)
        .collect(Collectors.joining(";"));
  }

  private static String properAccount(String account) {
    String[] parts = account.split(":", -1);
    StringBuilder proper = new StringBuilder(parts[0]);
    for (int i = 1; i < parts.length; i++) {
      // Azurite treats an empty second key as absent.
      if (i != 2 || !parts[i].isEmpty()) {
        proper.append(':').append(properKey(parts[i]));
      }
    }
    return proper.toString();
  }

  private static String properKey(String key) {
    int padding = key.indexOf('=');
    String digits =
        (padding < 0 ? key : key.substring(0, padding))
            .replace('-', '+')
            .replace('_', '/')
            .replaceAll("[^A-Za-z0-9+/]", "");
    // A single digit at the end has less than a byte.
    String whole = digits.length() % 4 == 1 ? digits.substring(0, digits.length() - 1) : digits;
    return Base64.getEncoder().encodeToString(Base64.getDecoder().decode(whole));
  }
}
