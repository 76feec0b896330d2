package io.lazuli.server.access;

import java.util.List;

/**
 * The permission that an operation requires of a shared access signature: one line of the tables in
 * auth 4.5 and 5.
 *
 * @param resourceType the letter that an account SAS must have among its types
 * @param otherType another letter that is enough as well; the same letter if there is none
 * @param letters the alternatives; one is enough. An alternative of several letters requires all
 *     its letters.
 * @param byResource true if a signature for one resource can be enough
 */
public record Permission(
    char resourceType, char otherType, List<String> letters, boolean byResource) {
  public static final char SERVICE = 's';
  public static final char CONTAINER = 'c';
  public static final char OBJECT = 'o';

  /** The permission of operations that require a key of the account. */
  public static final Permission KEY_ONLY = new Permission(SERVICE, SERVICE, List.of(), false);

  public Permission {
    letters = List.copyOf(letters);
  }

  /** Returns a permission that only an account SAS can grant. */
  public static Permission ofAccount(char resourceType, String... letters) {
    return new Permission(resourceType, resourceType, List.of(letters), false);
  }

  /** Returns a permission that an account SAS, or a SAS for the resource, can grant. */
  public static Permission ofResource(char resourceType, String... letters) {
    return new Permission(resourceType, resourceType, List.of(letters), true);
  }

  /** Returns the same permission, for which another resource type is enough, too. */
  public Permission orType(char other) {
    return new Permission(resourceType, other, letters, byResource);
  }

  /** Returns whether an account SAS has a resource type that the permission needs. */
  boolean isOfType(String granted) {
    return granted.indexOf(resourceType) >= 0 || granted.indexOf(otherType) >= 0;
  }

  /** Returns whether one of the alternatives is granted completely. */
  boolean isGrantedBy(String granted) {
    return letters.stream().anyMatch(all -> all.chars().allMatch(c -> granted.indexOf(c) >= 0));
  }
}
