package io.lazuli.server.role;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.server.access.Access;
import io.lazuli.server.access.Identity;
import io.lazuli.server.blob.service.BlobAction;
import io.lazuli.server.queue.service.QueueAction;
import io.lazuli.server.table.service.TableAction;
import io.lazuli.server.watch.RefusedFileException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RoleSetTest {
  private static final String ISSUER = "https://issuer.example";
  private static final Identity ALICE =
      new Identity(ISSUER, "t", "alice-oid", "app-1", "alice", Set.of("editors"), Set.of("Admin"));

  private static RoleSet roles(String... lines) {
    return RoleFileText.parse("lazuli roles 1\n" + String.join("\n", lines));
  }

  private static Access tables(RoleSet roles, Identity who) {
    return roles.access("contoso", "table", who);
  }

  @Test
  void nobodyHasAccessWithoutARole() {
    Access access = tables(roles(), ALICE);
    for (TableAction action : TableAction.values()) {
      assertThat(access.allows(action.permission(), "orders")).as(action.name()).isFalse();
    }
  }

  @Test
  void eachKindOfPrincipalIsFound() {
    for (String principal :
        List.of("oid alice-oid", "app app-1", "sub alice", "group editors", "role Admin")) {
      Access access =
          tables(roles("assign storage-table-data-reader contoso * " + principal), ALICE);
      assertThat(access.allows(TableAction.READ.permission(), "orders")).as(principal).isTrue();
      assertThat(access.allows(TableAction.INSERT.permission(), "orders")).as(principal).isFalse();
    }
  }

  @Test
  void aValueOfOneKindIsNotAValueOfAnother() {
    Access access = tables(roles("assign storage-table-data-reader contoso * oid alice"), ALICE);
    assertThat(access.allows(TableAction.READ.permission(), "orders")).isFalse();
  }

  @Test
  void aRoleOfOneIssuerIsNotARoleOfAnother() {
    RoleSet roles =
        roles("assign storage-table-data-reader contoso https://other.example sub alice");
    assertThat(tables(roles, ALICE).allows(TableAction.READ.permission(), "orders")).isFalse();
  }

  @Test
  void aScopeEndsAtItsResource() {
    Access access =
        roles("assign storage-blob-data-contributor contoso/blob/photos * sub alice")
            .access("contoso", "blob", ALICE);
    assertThat(access.allows(BlobAction.READ_BLOB.permission(), "photos/a.jpg")).isTrue();
    assertThat(access.allows(BlobAction.READ_CONTAINER.permission(), "photos")).isTrue();
    assertThat(access.allows(BlobAction.READ_BLOB.permission(), "photos2/a.jpg")).isFalse();
    assertThat(access.allows(BlobAction.LIST_CONTAINERS.permission(), "")).isFalse();
  }

  @Test
  void aScopeIsForOneAccountAndService() {
    RoleSet roles = roles("assign storage-account-contributor contoso/queue * sub alice");
    assertThat(allowsCreation(roles, "contoso")).isTrue();
    assertThat(allowsCreation(roles, "fabrikam")).isFalse();
    assertThat(tables(roles, ALICE).allows(TableAction.CREATE_TABLE.permission(), "t")).isFalse();
  }

  private static boolean allowsCreation(RoleSet roles, String account) {
    return roles
        .access(account, "queue", ALICE)
        .allows(QueueAction.CREATE_QUEUE.permission(), "work");
  }

  @Test
  void tablesOfAScopeIgnoreCase() {
    RoleSet roles = roles("assign storage-table-data-reader contoso/table/Orders * sub alice");
    assertThat(tables(roles, ALICE).allows(TableAction.READ.permission(), "orders")).isTrue();
  }

  @Test
  void twoRolesTogetherGrantWhatNeitherGrantsAlone() {
    String sender = "assign storage-queue-data-message-sender contoso * sub alice";
    String processor = "assign storage-queue-data-message-processor contoso * sub alice";
    Access both = roles(sender, processor).access("contoso", "queue", ALICE);
    assertThat(both.allows(QueueAction.PUT_MESSAGE.permission(), "work")).isTrue();
    assertThat(both.allows(QueueAction.GET_MESSAGES.permission(), "work")).isTrue();
    assertThat(both.allows(QueueAction.CLEAR_MESSAGES.permission(), "work")).isFalse();
  }

  @Test
  void theFileKeepsValuesWithBlanks() {
    RoleSet roles = roles("assign storage-table-data-reader contoso * group  My  Team ");
    assertThat(roles.assignments().get(0).principal().value()).isEqualTo("My  Team");
    assertThat(RoleFileText.parse(RoleFileText.write(roles))).isEqualTo(roles);
  }

  @Test
  void brokenLinesAreNamed() {
    for (String line :
        List.of(
            "assign storage-table-data-king contoso * sub alice",
            "assign storage-table-data-reader contoso/files * sub alice",
            "assign storage-table-data-reader contoso * name alice",
            "assign storage-table-data-reader contoso sub alice",
            "grant everything")) {
      assertThatThrownBy(() -> roles("# a comment", line))
          .as(line)
          .isInstanceOf(RefusedFileException.class)
          .hasMessageStartingWith("line 3: ");
    }
    assertThatThrownBy(() -> RoleFileText.parse("lazuli roles 2"))
        .isInstanceOf(RefusedFileException.class);
  }
}
