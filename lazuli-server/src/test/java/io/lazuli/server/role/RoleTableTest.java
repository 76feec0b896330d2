package io.lazuli.server.role;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.access.Permission;
import io.lazuli.server.blob.service.BlobAction;
import io.lazuli.server.config.DocumentedTable;
import io.lazuli.server.queue.service.QueueAction;
import io.lazuli.server.settings.SettingsAction;
import io.lazuli.server.table.service.TableAction;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The table of what roles allow, in docs/roles.md. */
class RoleTableTest {
  private final Map<String, Permission> permissions = new LinkedHashMap<>();

  RoleTableTest() {
    for (BlobAction action : BlobAction.values()) {
      permissions.put("blob: " + words(action), action.permission());
    }
    for (QueueAction action : QueueAction.values()) {
      permissions.put("queue: " + words(action), action.permission());
    }
    for (TableAction action : TableAction.values()) {
      permissions.put("table: " + words(action), action.permission());
    }
    for (SettingsAction action : SettingsAction.values()) {
      permissions.put("settings: " + words(action), action.permission());
    }
  }

  @Test
  void everyActionIsAllowedBySomeRole() {
    permissions.forEach(
        (name, permission) -> assertThat(rolesFor(permission)).as(name).isNotEmpty());
  }

  @Test
  void everyActionOfARoleIsAskedForByAnOperation() {
    Set<String> asked =
        permissions.values().stream()
            .flatMap(permission -> permission.roleActions().stream())
            .flatMap(Set::stream)
            .collect(Collectors.toCollection(TreeSet::new));
    asked.add("service/generateUserDelegationKey/action");
    for (Role role : Role.values()) {
      assertThat(asked).as(role.title()).containsAll(role.actions());
    }
  }

  @Test
  void theDocumentHasThisTable() throws IOException {
    StringBuilder table =
        new StringBuilder("| operation | action | roles |\n| --- | --- | --- |\n");
    permissions.forEach(
        (name, permission) ->
            table
                .append("| ")
                .append(name)
                .append(" | ")
                .append(
                    permission.roleActions().stream()
                        .map(all -> "`" + String.join("` + `", new TreeSet<>(all)) + "`")
                        .collect(Collectors.joining("<br>")))
                .append(" | ")
                .append(rolesFor(permission))
                .append(" |\n"));
    new DocumentedTable("roles.md", "roles").assertIs(table.toString());
  }

  private static String rolesFor(Permission permission) {
    return Arrays.stream(Role.values())
        .filter(role -> permission.roleActions().stream().anyMatch(role.actions()::containsAll))
        .map(role -> role.title().replace("Storage ", ""))
        .collect(Collectors.joining(", "));
  }

  private static String words(Enum<?> action) {
    return action.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
