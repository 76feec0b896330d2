package io.lazuli.server.design;

import static io.lazuli.server.design.GuidePattern.COMPOUND_KEY;
import static io.lazuli.server.design.GuidePattern.DATA_SERIES;
import static io.lazuli.server.design.GuidePattern.DENORMALIZATION;
import static io.lazuli.server.design.GuidePattern.EVENTUAL_CONSISTENCY;
import static io.lazuli.server.design.GuidePattern.HIGH_VOLUME_DELETE;
import static io.lazuli.server.design.GuidePattern.INDEX_ENTITIES;
import static io.lazuli.server.design.GuidePattern.INTER_PARTITION_INDEX;
import static io.lazuli.server.design.GuidePattern.INTRA_PARTITION_INDEX;
import static io.lazuli.server.design.GuidePattern.JOIN_IN_CLIENT;
import static io.lazuli.server.design.GuidePattern.LARGE_ENTITIES;
import static io.lazuli.server.design.GuidePattern.LOG_DATA;
import static io.lazuli.server.design.GuidePattern.LOG_TAIL;
import static io.lazuli.server.design.GuidePattern.ONE_TO_MANY;
import static io.lazuli.server.design.GuidePattern.SPREAD_INSERTS;
import static io.lazuli.server.design.GuidePattern.WIDE_ENTITIES;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lazuli.server.design.AccessPlan.Kind;
import io.lazuli.server.design.Path.Placement;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The worked examples of the Azure Storage Table Design Guide: given what a section describes, the
 * first proposal is what the section proposes. Each test names the section.
 */
class GuideExamplesTest {
  private static Proposal first(String example) {
    return Proposals.of(GuideExamples.byName().get(example).model()).get(0);
  }

  private static TableDesign only(Proposal proposal) {
    assertEquals(1, proposal.tables().size());
    return proposal.tables().get(0);
  }

  private static String keys(Keys keys) {
    return Keys.template(keys.partition()) + " / " + Keys.template(keys.row());
  }

  private static List<Kind> kinds(TableDesign table) {
    return table.plans().stream()
        .filter(plan -> plan.access().verb().reads())
        .map(AccessPlan::kind)
        .toList();
  }

  private static void assertPatterns(Proposal proposal, GuidePattern... expected) {
    Set<GuidePattern> found =
        proposal.choices().stream().map(Choice::pattern).collect(Collectors.toSet());
    assertEquals(Set.of(expected), found);
  }

  private static void assertPath(TableDesign table, Placement placement, String keys) {
    assertEquals(1, table.paths().size());
    assertEquals(placement, table.paths().get(0).placement());
    assertEquals(keys, keys(table.paths().get(0).keys()));
  }

  /** "How your choice of PartitionKey and RowKey impacts query performance". */
  @Test
  void employeesArePartitionedByDepartmentAndNumberedWithZeros() {
    Proposal proposal = first("employees");
    TableDesign table = only(proposal);
    assertEquals("{department} / {empid, 6 digits}", keys(table.keys()));
    assertEquals(List.of(Kind.POINT, Kind.RANGE), kinds(table));
    assertPatterns(proposal);
    // "Sorting data in the Table service": 123 becomes 000123.
    assertTrue(
        table.keys().encoding().get(0).contains("6 digits with leading zeros"),
        table.keys().encoding().toString());
  }

  /** "Intra-partition secondary index pattern": empid_000223 and email_jonesj@contoso.com. */
  @Test
  void lookupsByEmailAreCopiesInThePartition() {
    Proposal proposal = first("intra-partition-index");
    TableDesign table = only(proposal);
    assertEquals("{department} / empid_{empid, 6 digits}", keys(table.keys()));
    assertPath(table, Placement.ROWS, "{department} / email_{email}");
    assertEquals(List.of(Kind.POINT, Kind.POINT, Kind.RANGE, Kind.RANGE), kinds(table));
    assertPatterns(proposal, INTRA_PARTITION_INDEX);
    AccessPlan update = table.plans().get(4);
    assertEquals(2, update.written());
    assertEquals(2, update.requests());
  }

  /** "Inter-partition secondary index pattern": empid_Sales and email_Sales. */
  @Test
  void busyLookupsByEmailAreCopiesInOtherPartitions() {
    Proposal proposal = first("inter-partition-index");
    TableDesign table = only(proposal);
    assertEquals("empid_{department} / {empid, 6 digits}", keys(table.keys()));
    assertPath(table, Placement.PARTITIONS, "email_{department} / {email}");
    assertEquals(List.of(Kind.POINT, Kind.POINT), kinds(table));
    assertPatterns(proposal, INTER_PARTITION_INDEX, EVENTUAL_CONSISTENCY);
    assertTrue(proposal.warnings().stream().anyMatch(w -> w.kind() == Warning.Kind.NO_TRANSACTION));
  }

  /** "Eventually consistent transactions pattern": current and archived employees. */
  @Test
  void archivingGoesThroughAQueue() {
    Proposal proposal = first("archive");
    assertEquals("{department} / {empid, 6 digits}", keys(only(proposal).keys()));
    assertPatterns(proposal, EVENTUAL_CONSISTENCY);
  }

  /** "Index entities pattern", option 2: lists of ids in the same partition. */
  @Test
  void lastNamesOfADepartmentAreListsInThePartition() {
    Proposal proposal = first("index-entities");
    TableDesign table = only(proposal);
    assertEquals("{department} / {empid, 6 digits}", keys(table.keys()));
    assertPath(table, Placement.LIST_ROWS, "{department} / lastname_{lastName}");
    assertPatterns(proposal, INDEX_ENTITIES);
    // "at least two queries": one for the list, then one for each entity of it.
    assertEquals(1 + table.plans().get(1).returned(), table.plans().get(1).requests());
  }

  /** "Index entities pattern", option 3: across the organisation, in a partition of their own. */
  @Test
  void lastNamesOfTheOrganisationAreListsElsewhere() {
    Proposal proposal = first("index-entities-elsewhere");
    assertPath(only(proposal), Placement.LIST_PARTITION, "lastname / {lastName}");
    assertPatterns(proposal, INDEX_ENTITIES, EVENTUAL_CONSISTENCY);
  }

  /** "Index entities pattern", option 1: lists of more than 1 MB are blobs. */
  @Test
  void listsThatDoNotFitIntoAnEntityAreBlobs() {
    Proposal proposal = first("index-entities-in-blobs");
    assertEquals(Placement.LIST_BLOBS, only(proposal).paths().get(0).placement());
    assertPatterns(proposal, INDEX_ENTITIES, EVENTUAL_CONSISTENCY);
  }

  /** "Denormalization pattern": the department holds its manager's details, in one partition. */
  @Test
  void departmentsHoldTheDetailsOfTheirManagers() {
    Proposal proposal = first("denormalization");
    TableDesign department = proposal.tables().get(0);
    TableDesign employee = proposal.tables().get(1);
    assertEquals("manager", department.copied());
    assertEquals(department.table(), employee.table());
    assertEquals("{department} / department", keys(department.keys()));
    assertEquals("{department} / empid_{empid, 6 digits}", keys(employee.keys()));
    assertEquals(1, department.plans().get(0).requests());
    assertPatterns(proposal, DENORMALIZATION);
  }

  /**
   * "One-to-many relationships": copies of a department in each of its employees are expensive if
   * the department changes.
   */
  @Test
  void detailsThatChangeOftenAreNotCopied() {
    GuideExamples.Example example = GuideExamples.byName().get("join-in-client");
    Proposal proposal =
        Proposals.of(
                Model.of(
                    example.entities(),
                    List.of(
                        "read Employee by department, empid with department 10/s",
                        "update Department 1/s")))
            .get(0);
    TableDesign employee =
        proposal.tables().stream()
            .filter(table -> table.entity().name().equals("Employee"))
            .findFirst()
            .orElseThrow();
    assertEquals(null, employee.copied());
    assertEquals(2, employee.plans().get(0).requests());
  }

  /** "One-to-many relationships": separate types in the same partition of the same table. */
  @Test
  void departmentsAndEmployeesShareTransactions() {
    Proposal proposal = first("one-to-many");
    assertEquals(proposal.tables().get(0).table(), proposal.tables().get(1).table());
    assertEquals("{department} / department", keys(proposal.tables().get(0).keys()));
    assertEquals("{department} / empid_{empid, 6 digits}", keys(proposal.tables().get(1).keys()));
    assertPatterns(proposal, ONE_TO_MANY);
  }

  /** "Join in the client": the departments of a small company are cached. */
  @Test
  void fewDepartmentsAreCached() {
    Proposal proposal = first("join-in-client");
    assertEquals("department", proposal.tables().get(1).cached());
    assertPatterns(proposal, JOIN_IN_CLIENT);
  }

  /** "Compound key pattern": empid_000123_2012. */
  @Test
  void reviewsAreNextToTheirEmployee() {
    Proposal proposal = first("compound-key");
    TableDesign employee = proposal.tables().get(0);
    TableDesign review = proposal.tables().get(1);
    assertEquals(employee.table(), review.table());
    assertEquals("{department} / empid_{empid, 6 digits}_{year, 4 digits}", keys(review.keys()));
    assertEquals(List.of(Kind.RANGE, Kind.POINT), kinds(review));
    assertPatterns(proposal, COMPOUND_KEY, ONE_TO_MANY);
  }

  /** "Log tail pattern": the ten newest expense claims of an employee. */
  @Test
  void theNewestClaimsComeFirst() {
    Proposal proposal = first("log-tail");
    TableDesign table = only(proposal);
    assertEquals("{empid} / {submitted, reversed ticks}_{claim}", keys(table.keys()));
    assertEquals(10, table.plans().get(0).read());
    assertEquals(1, table.plans().get(0).requests());
    assertPatterns(proposal, LOG_TAIL);
  }

  /** "High volume delete pattern": a table for each day of login attempts. */
  @Test
  void loginsOfADayAreATable() {
    Proposal proposal = first("high-volume-delete");
    TableDesign table = only(proposal);
    assertEquals("{user} / {at}", keys(table.keys()));
    assertEquals(Storage.PERIOD, table.storage());
    assertPatterns(proposal, HIGH_VOLUME_DELETE);
  }

  /** "Data series pattern": a property for each hour. */
  @Test
  void hoursAreProperties() {
    Proposal proposal = first("data-series");
    TableDesign table = only(proposal);
    assertEquals("{employee} / {day}", keys(table.keys()));
    assertEquals(Storage.SERIES, table.storage());
    assertEquals(24, table.parts());
    assertEquals(List.of(Kind.POINT), kinds(table));
    assertPatterns(proposal, DATA_SERIES);
  }

  /** "Wide entities pattern": 365 days are two entities. */
  @Test
  void daysOfAYearAreTwoEntities() {
    Proposal proposal = first("wide-entities");
    assertEquals(Storage.WIDE, only(proposal).storage());
    assertEquals(2, only(proposal).parts());
    assertPatterns(proposal, WIDE_ENTITIES);
  }

  /** "Large entities pattern": the photo is a blob; reading takes two requests. */
  @Test
  void photosAreBlobs() {
    Proposal proposal = first("large-entities");
    assertEquals(Storage.LARGE, only(proposal).storage());
    assertEquals(2, only(proposal).plans().get(0).requests());
    assertPatterns(proposal, LARGE_ENTITIES);
  }

  /** "Prepend/append anti-pattern": both keys are compound, department and employee spread. */
  @Test
  void busyEventsAreSpreadOverEmployees() {
    Proposal proposal = first("append");
    TableDesign table = only(proposal);
    assertEquals("{department}_{empid} / {at}_{event}", keys(table.keys()));
    assertEquals(List.of(Kind.RANGE), kinds(table));
    assertPatterns(proposal, COMPOUND_KEY, SPREAD_INSERTS);
    Proposal byDay =
        Proposals.of(GuideExamples.byName().get("append").model()).stream()
            .filter(each -> each.title().contains("each day"))
            .findFirst()
            .orElseThrow();
    assertTrue(byDay.warnings().stream().anyMatch(w -> w.kind() == Warning.Kind.APPEND));
    assertTrue(byDay.warnings().stream().anyMatch(w -> w.kind() == Warning.Kind.HOT_PARTITION));
  }

  /** "Log data anti-pattern": blobs, not tables. */
  @Test
  void logsAreBlobs() {
    Proposal proposal = first("log-data");
    assertEquals(Storage.LOG, only(proposal).storage());
    assertPatterns(proposal, LOG_DATA);
  }

  @Test
  void proposalsAreDeterministicAndRanked() {
    GuideExamples.byName()
        .forEach(
            (name, example) -> {
              List<Proposal> once = Proposals.of(example.model());
              assertEquals(once, Proposals.of(example.model()), name);
              assertTrue(once.size() <= 4, name);
              assertTrue(once.get(0).why().startsWith("Costs least"), name);
            });
  }
}
