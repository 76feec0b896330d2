package io.lazuli.server.access;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The permission that an operation requires: of a shared access signature, one line of the tables
 * in auth 4.5 and 5; of roles, one line of docs/roles.md.
 *
 * @param resourceType the letter that an account SAS must have among its types
 * @param otherType another letter that is enough as well; the same letter if there is none
 * @param letters the alternatives; one is enough. An alternative of several letters requires all
 *     its letters.
 * @param byResource true if a signature for one resource can be enough
 * @param roleActions the alternatives for roles; one is enough. Roles must grant all actions of an
 *     alternative. Without alternatives, no role is enough.
 */
public record Permission(
    char resourceType,
    char otherType,
    List<String> letters,
    boolean byResource,
    List<Set<String>> roleActions) {
  public static final char SERVICE = 's';
  public static final char CONTAINER = 'c';
  public static final char OBJECT = 'o';

  /** The permission of operations that no shared access signature grants. */
  public static final Permission NO_SAS =
      new Permission(SERVICE, SERVICE, List.of(), false, List.of());

  public Permission {
    letters = List.copyOf(letters);
    roleActions = List.copyOf(roleActions);
  }

  /** Returns a permission that only an account SAS can grant. */
  public static Permission ofAccount(char resourceType, String... letters) {
    return new Permission(resourceType, resourceType, List.of(letters), false, List.of());
  }

  /** Returns a permission that an account SAS, or a SAS for the resource, can grant. */
  public static Permission ofResource(char resourceType, String... letters) {
    return new Permission(resourceType, resourceType, List.of(letters), true, List.of());
  }

  /** Returns the same permission, for which another resource type is enough, too. */
  public Permission orType(char other) {
    return new Permission(resourceType, other, letters, byResource, roleActions);
  }

  /** Returns the same permission, for which roles that grant all these actions are enough. */
  public Permission byRole(String... actions) {
    List<Set<String>> alternatives =
        Stream.concat(roleActions.stream(), Stream.of(Set.of(actions))).toList();
    return new Permission(resourceType, otherType, letters, byResource, alternatives);
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
