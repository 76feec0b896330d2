package io.lazuli.conformance.host;

import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.wire.WireAnswer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Orleans keeps the members of a cluster, its reminders and the state of its grains in tables. It
 * relies on transactions with two tags, and on the statuses 409 and 412 for a writer that is too
 * late.
 */
@Covers(Area.CONCURRENCY)
@Documented("dotnet/orleans Orleans.Clustering.AzureStorage/OrleansSiloInstanceManager.cs")
class OrleansTablesConformanceTest {

  private static final String VERSION = "VersionRow";
  private static final String SILO = "127.0.0.1-11111-417000000";
  private static final String BOTH =
      "(PartitionKey eq 'dev') and ((RowKey eq '" + SILO + "') or (RowKey eq 'VersionRow'))";

  private final NetTable table = NetTable.create();

  private static String version(int number) {
    return entity(VERSION, "'MembershipVersion':'" + number + "'");
  }

  /** Returns the row of a silo. All properties are strings, and missing ones are null. */
  private static String silo(String row, String status, String proxyPort) {
    String own = "'Status':'%s','ProxyPort':'%s'".formatted(status, proxyPort);
    return entity(
        row,
        "'Address':'127.0.0.1','Port':'11111','Generation':'417000000','HostName':'h',"
            + own
            + ",'RoleName':null,'SiloName':'Silo_1','SuspectingSilos':null,"
            + "'IAmAliveTime':'2026-01-01 00:00:00.000 GMT'");
  }

  private static String entity(String row, String members) {
    return NetTable.entity("dev", row, "'DeploymentId':'dev'," + members);
  }

  /** Creates a cluster of one silo. Returns the tags of its row and of the version row. */
  private List<String> joined() {
    String first = table.inserted(version(0));
    return table.sent(
        table
            .batch()
            .insert(silo(SILO, "Active", "30000"))
            .replace("dev", VERSION, version(1), first));
  }

  @Test
  @Documented("dotnet/orleans src/Azure/Shared/Storage/AzureTableDataManager.cs InitTableAsync")
  void everySiloCreatesTheTableAndOnlyTheFirstOneDoes() {
    expect(table.creation().send()).error(409, "TableAlreadyExists");
  }

  @Test
  void onlyOneSiloMakesTheVersionRow() {
    assertThat(table.found("(PartitionKey eq 'dev') and (RowKey eq 'VersionRow')")).isEmpty();
    table.inserted(version(0));
    expect(table.insert(version(0)).send()).error(409, "EntityAlreadyExists");
  }

  @Test
  @Covers(Area.BATCH)
  void aSiloJoinsInOneTransactionWithTheVersion() {
    List<String> tags = joined();
    List<JsonNode> rows = table.found(BOTH);
    assertThat(rows).extracting(row -> row.path("RowKey").asText()).containsExactly(SILO, VERSION);
    assertThat(rows)
        .extracting(row -> row.path("odata.etag").asText())
        .containsExactlyElementsOf(tags);
  }

  @Test
  @Covers(Area.BATCH)
  void aSiloThatReadAnOldVersionDoesNotJoin() {
    String first = table.inserted(version(0));
    expect(table.replace("dev", VERSION, version(1)).ifMatch(first).send()).status(204);
    NetBatch late =
        table.batch().insert(silo(SILO, "Joining", "0")).replace("dev", VERSION, version(1), first);
    WireAnswer refusal = NetTable.refusal(late);
    expect(refusal).error(412, "UpdateConditionNotSatisfied");
    assertThat(refusal.errorText()).startsWith("1:");
    assertThat(table.rows(BOTH)).containsExactly(VERSION);
  }

  @Test
  @Covers(Area.BATCH)
  void aSiloIsDeclaredDeadByTheFirstOfTwo() {
    List<String> tags = joined();
    String dead = silo(SILO, "Dead", "30000");
    NetBatch declaration =
        table
            .batch()
            .replace("dev", SILO, dead, tags.get(0))
            .replace("dev", VERSION, version(2), tags.get(1));
    assertThat(table.sent(declaration)).hasSize(2).doesNotContainAnyElementsOf(tags);
    expect(NetTable.refusal(declaration)).error(412, "UpdateConditionNotSatisfied");
    assertThat(table.table().stored("dev", VERSION).path("MembershipVersion").asText())
        .isEqualTo("2");
  }

  @Test
  @Covers(Area.OPERATIONS)
  void theSignOfLifeIsMergedWithoutATagAndItsNullsChangeNothing() {
    joined();
    String members =
        "'DeploymentId':null,'Status':null,'ProxyPort':null,"
            + "'IAmAliveTime':'2026-01-01 00:05:00.000 GMT'";
    String alive = NetTable.entity("dev", SILO, members);
    expect(table.merge("dev", SILO, alive).ifMatch("*").send()).status(204).hasHeader("ETag");
    JsonNode stored = table.table().stored("dev", SILO);
    assertThat(stored.path("IAmAliveTime").asText()).contains("00:05");
    assertThat(stored.path("Status").asText()).isEqualTo("Active");
  }

  @Test
  @Covers(Area.FILTERS)
  void clientsFindTheGatewaysThatAreActive() {
    joined();
    table.inserted(silo("127.0.0.1-11112-1", "Dead", "30001"));
    table.inserted(silo("127.0.0.1-11113-1", "Active", "0"));
    assertThat(table.rows("PartitionKey eq 'dev' and Status eq 'Active' and ProxyPort ne '0'"))
        .containsExactly(SILO);
  }

  @Test
  @Covers(Area.BATCH)
  void defunctSilosAreDeletedTogether() {
    joined();
    String one = table.inserted(silo("127.0.0.1-11112-1", "Dead", "30001"));
    String two = table.inserted(silo("127.0.0.1-11113-1", "Dead", "30001"));
    table.sent(
        table
            .batch()
            .delete("dev", "127.0.0.1-11112-1", one)
            .delete("dev", "127.0.0.1-11113-1", two));
    assertThat(table.rows("PartitionKey eq 'dev'")).containsExactly(SILO, VERSION);
  }

  @Test
  @Covers(Area.FILTERS)
  @Documented("dotnet/orleans Orleans.Reminders.AzureStorage/Storage/RemindersTableManager.cs")
  void aSiloReadsTheRemindersOfItsRangeOfTheRing() {
    for (String hash : List.of("00000010", "7FFFFFFF", "A0000000")) {
      table.inserted(reminder("svc_" + hash));
    }
    table.inserted(reminder("svcOther_7FFFFFFF"));
    // The character after the underscore is the backtick.
    String service = "(PartitionKey gt 'svc_') and (PartitionKey le 'svc`')";
    assertThat(table.found(service)).hasSize(3);
    String range = "(PartitionKey gt 'svc_00000010') and (PartitionKey le 'svc_A0000000')";
    assertThat(table.found("(" + service + ") and (" + range + ")"))
        .extracting(row -> row.path("PartitionKey").asText())
        .containsExactly("svc_7FFFFFFF", "svc_A0000000");
  }

  @Test
  @Documented("dotnet/orleans Orleans.Reminders.AzureStorage/Storage/RemindersTableManager.cs")
  void aReminderThatWasChangedIsNotRemoved() {
    String json = reminder("svc_00000010");
    String read = table.inserted(json);
    WireAnswer changed = table.replace("svc_00000010", "r", json).send();
    expect(changed).status(204);
    expect(table.delete("svc_00000010", "r", read).send())
        .error(412, "UpdateConditionNotSatisfied");
    expect(table.delete("svc_00000010", "r", changed.etag()).send()).status(204);
    expect(table.delete("svc_00000010", "r", changed.etag()).send()).error(404, "ResourceNotFound");
  }

  private static String reminder(String partition) {
    return NetTable.entity(
        partition, "r", "'GrainReference':'g','ReminderName':'r','Period':'00:01:00'");
  }

  @Test
  @Covers(Area.LIMITS)
  @Documented(
      "dotnet/orleans Orleans.Persistence.AzureStorage/Providers/Storage/AzureTableStorage.cs")
  void theStateOfAGrainIsFifteenPropertiesOf64KiB() {
    String chunk = Base64.getEncoder().encodeToString(new byte[64 * 1024]);
    List<String> members = new ArrayList<>();
    for (int i = 0; i < 15; i++) {
      String name = "Data" + (i == 0 ? "" : i);
      members.add("'%s':'%s','%s@odata.type':'Edm.Binary'".formatted(name, chunk, name));
    }
    String json = NetTable.entity("grain", "state", String.join(",", members));
    String first = table.inserted(json);
    WireAnswer read = table.read("grain", "state").send();
    expect(read).status(200).header("ETag", first);
    assertThat(read.json().path("Data14").asText()).isEqualTo(chunk);
  }
}
