package io.lazuli.server.role;

import io.lazuli.server.access.Access;
import io.lazuli.server.access.Identity;
import io.lazuli.server.access.RoleGrant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The built-in roles. Their names and actions are Azure's; an action leaves out the prefix {@code
 * Microsoft.Storage/storageAccounts/…Services/}, and {@code service} stands for the service itself.
 * docs/roles.md lists them.
 */
public enum Role {
  BLOB_DATA_READER("Storage Blob Data Reader", "blob", "containers/read", "blobs/read", Names.KEY),
  BLOB_DATA_CONTRIBUTOR(
      "Storage Blob Data Contributor",
      "blob",
      "containers/read",
      "containers/write",
      "containers/delete",
      "blobs/read",
      "blobs/write",
      "blobs/delete",
      "blobs/add/action",
      Names.KEY),
  BLOB_DATA_OWNER(
      "Storage Blob Data Owner",
      "blob",
      "containers/read",
      "containers/write",
      "containers/delete",
      "containers/getAcl/action",
      "containers/setAcl/action",
      "blobs/read",
      "blobs/write",
      "blobs/delete",
      "blobs/add/action",
      "blobs/filter/action",
      "blobs/tags/read",
      "blobs/tags/write",
      "blobs/deleteBlobVersion/action",
      "blobs/permanentDelete/action",
      "blobs/immutableStorage/runAsSuperUser/action",
      Names.KEY),
  BLOB_DELEGATOR("Storage Blob Delegator", "blob", Names.KEY),
  QUEUE_DATA_READER(
      "Storage Queue Data Reader", "queue", "queues/read", "messages/read", Names.KEY),
  QUEUE_DATA_CONTRIBUTOR(
      "Storage Queue Data Contributor",
      "queue",
      "queues/read",
      "queues/write",
      "queues/delete",
      "messages/read",
      "messages/write",
      "messages/delete",
      "messages/process/action",
      Names.KEY),
  QUEUE_DATA_MESSAGE_PROCESSOR(
      "Storage Queue Data Message Processor",
      "queue",
      "messages/read",
      "messages/process/action",
      Names.KEY),
  QUEUE_DATA_MESSAGE_SENDER(
      "Storage Queue Data Message Sender", "queue", "messages/add/action", Names.KEY),
  QUEUE_DELEGATOR("Storage Queue Delegator", "queue", Names.KEY),
  TABLE_DATA_READER(
      "Storage Table Data Reader", "table", "tables/read", "entities/read", Names.KEY),
  TABLE_DATA_CONTRIBUTOR(
      "Storage Table Data Contributor",
      "table",
      "tables/read",
      "tables/write",
      "tables/delete",
      "entities/read",
      "entities/write",
      "entities/delete",
      "entities/add/action",
      "entities/update/action",
      Names.KEY),
  TABLE_DELEGATOR("Storage Table Delegator", "table", Names.KEY),
  /** Manages the services of an account, without access to what they store. */
  ACCOUNT_CONTRIBUTOR(
      "Storage Account Contributor",
      "",
      "service/read",
      "service/write",
      "containers/read",
      "containers/write",
      "containers/delete",
      "containers/getAcl/action",
      "containers/setAcl/action",
      "queues/read",
      "queues/write",
      "queues/delete",
      "tables/read",
      "tables/write",
      "tables/delete",
      "getAcl/action",
      "setAcl/action",
      Names.KEY),
  /** Sees metrics, and data in the console. The next three are the other roles of the console. */
  LAZULI_READER("Lazuli Reader", Names.SERVER),
  LAZULI_EDITOR("Lazuli Editor", Names.SERVER),
  LAZULI_OPERATOR("Lazuli Operator", Names.SERVER),
  LAZULI_ADMIN("Lazuli Admin", Names.SERVER);

  /** Names that several roles use. */
  private static final class Names {
    static final String KEY = "service/generateUserDelegationKey/action";
    static final String SERVER = "server";
  }

  private static final Set<String> ALL_ACTIONS =
      Arrays.stream(values())
          .flatMap(role -> role.actions.stream())
          .collect(Collectors.toUnmodifiableSet());

  private final String title;
  private final String service;

  @SuppressWarnings("ImmutableEnumChecker") // The set is immutable.
  private final Set<String> actions;

  Role(String title, String service, String... actions) {
    this.title = title;
    this.service = service;
    this.actions = Set.of(actions);
  }

  /** Returns the access of an identity that may do everything that any role allows. */
  public static Access everything(Identity identity) {
    return new Access.OfRoles(identity, List.of(new RoleGrant("", ALL_ACTIONS)));
  }

  /** Returns the name that Azure gives to the role. */
  public String title() {
    return title;
  }

  /** Returns the label of the service that the role is about; empty for all services. */
  String service() {
    return service;
  }

  Set<String> actions() {
    return actions;
  }

  /** Returns whether the role is about the server itself, and not about its accounts. */
  public boolean isOfServer() {
    return service.equals(Names.SERVER);
  }

  boolean isFor(String label) {
    return service.isEmpty() || service.equals(label);
  }

  /** Finds a role by Azure's name, with any letter case and with hyphens or blanks. */
  public static Optional<Role> named(String text) {
    String wanted = plain(text);
    return Arrays.stream(values()).filter(role -> plain(role.title).equals(wanted)).findFirst();
  }

  /** Returns the names of all roles as they are written in the roles file. */
  public static String names() {
    return Arrays.stream(values()).map(Role::word).collect(Collectors.joining(", "));
  }

  /** Returns the name without blanks, as files and settings have it. */
  public String word() {
    return plain(title);
  }

  private static String plain(String text) {
    return Stream.of(text.strip().split("[\\s-]+"))
        .map(word -> word.toLowerCase(Locale.ROOT))
        .collect(Collectors.joining("-"));
  }
}
