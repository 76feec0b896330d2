package io.lazuli.server.development;

import io.lazuli.server.role.Role;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;

/**
 * An identity for which the server makes tokens.
 *
 * @param id its object id and its application id
 * @param roles the roles that it has on the accounts that need no accounts file
 */
public record DevelopmentIdentity(String name, UUID id, List<Role> roles) {
  /** The tenant of all development identities. */
  public static final UUID TENANT = UUID.fromString("6c617a75-6c69-4000-8000-000000000000");

  private static final String DEVELOPER_NAME = "developer";

  /** The identity of a client that names none. It may do everything. */
  public static final DevelopmentIdentity DEVELOPER =
      new DevelopmentIdentity(
          DEVELOPER_NAME,
          UUID.fromString("6c617a75-6c69-4000-8000-000000000001"),
          List.of(
              Role.BLOB_DATA_OWNER,
              Role.QUEUE_DATA_CONTRIBUTOR,
              Role.TABLE_DATA_CONTRIBUTOR,
              Role.ACCOUNT_CONTRIBUTOR));

  public DevelopmentIdentity {
    roles = List.copyOf(roles);
  }

  /** Returns an identity whose id is derived from its name, so that it never changes. */
  static DevelopmentIdentity named(String name, List<Role> roles) {
    byte[] seed = ("lazuli development identity " + name).getBytes(StandardCharsets.UTF_8);
    return new DevelopmentIdentity(name, UUID.nameUUIDFromBytes(seed), roles);
  }

  boolean isNamed(String text) {
    return name.equals(text) || id.toString().equalsIgnoreCase(text);
  }
}
