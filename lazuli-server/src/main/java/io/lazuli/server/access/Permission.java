package io.lazuli.server.access;

import java.util.List;

/**
 * What an operation asks of a shared access signature: one line of the tables in auth.md 4.5 and 5.
 *
 * @param resourceType the letter that an account's signature must have among its types
 * @param letters any one of these is enough; a text of several letters means all of them
 * @param byResource true if a signature for one resource may be enough
 */
public record Permission(char resourceType, List<String> letters, boolean byResource) {
  public static final char SERVICE = 's';
  public static final char CONTAINER = 'c';
  public static final char OBJECT = 'o';

  /** For what only a key of the account may do. */
  public static final Permission KEY_ONLY = new Permission(SERVICE, List.of(), false);

  public Permission {
    letters = List.copyOf(letters);
  }

  /** Open to an account's signature only. */
  public static Permission ofAccount(char resourceType, String... letters) {
    return new Permission(resourceType, List.of(letters), false);
  }

  /** Open to an account's signature, and to one for the resource that it is about. */
  public static Permission ofResource(char resourceType, String... letters) {
    return new Permission(resourceType, List.of(letters), true);
  }

  /** True if one of the alternatives is granted in full. */
  boolean isGrantedBy(String granted) {
    return letters.stream().anyMatch(all -> all.chars().allMatch(c -> granted.indexOf(c) >= 0));
  }
}
