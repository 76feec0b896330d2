package io.lazuli.conformance.table.rest;

import static io.lazuli.conformance.table.ScratchTable.entity;
import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Differs;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.table.ScratchTable;
import io.lazuli.conformance.wire.Keys;
import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.WireClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Creating, listing, finding and deleting tables. */
@Covers(Area.OPERATIONS)
class TablesConformanceTest {

  private final WireClient wire = ScratchTable.sharedWire();
  private final String prefix = ScratchTable.freshName();

  private List<String> create(String... suffixes) {
    List<String> names = new ArrayList<>();
    for (String suffix : suffixes) {
      ScratchTable table = ScratchTable.named(prefix + suffix);
      expect(wire.post("/Tables", "{\"TableName\":\"" + table.name() + "\"}").send()).status(201);
      names.add(table.name());
    }
    return names;
  }

  private List<String> list(String filter) {
    List<String> names = new ArrayList<>();
    WireAnswer page = wire.get("/Tables?$filter=" + Keys.encode(filter)).send();
    expect(page).status(200);
    page.values().forEach(item -> names.add(item.path("TableName").asText()));
    return names;
  }

  private String ofPrefix() {
    return "TableName ge '" + prefix + "' and TableName lt '" + prefix + "zzz'";
  }

  @Test
  @Documented("table-rest 6.1")
  void tablesAreListedByNameIgnoringCase() {
    create("b", "A", "C", "d");
    assertThat(list(ofPrefix()))
        .containsExactly(prefix + "A", prefix + "b", prefix + "C", prefix + "d");
  }

  @ParameterizedTest
  @CsvSource({"eq, b", "ne, a c", "gt, c", "ge, b c", "lt, a", "le, a b"})
  @Documented("table-rest 6.1")
  void tablesAreFilteredByName(String operator, String expected) {
    create("a", "b", "c");
    String filter = ofPrefix() + " and TableName " + operator + " '" + prefix + "b'";
    assertThat(list(filter).stream().map(name -> name.substring(prefix.length())).toList())
        .containsExactly(expected.split(" ", -1));
  }

  @Test
  @Documented("table-rest 6.1: do")
  void tableFiltersIgnoreCase() {
    create("abc");
    assertThat(list("TableName eq '" + prefix.toLowerCase(Locale.ROOT) + "ABC'"))
        .containsExactly(prefix + "abc");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7})
  @Documented("table-rest 6.1, 7.6")
  void tablesArePaged(int top) {
    List<String> created =
        create(IntStream.range(0, 7).mapToObj(i -> "n" + i).toArray(String[]::new));
    List<String> seen = new ArrayList<>();
    String token = "";
    do {
      String options = "?$top=" + top + "&$filter=" + Keys.encode(ofPrefix()) + token;
      WireAnswer page = wire.get("/Tables" + options).send();
      expect(page).status(200).lacksHeader("x-ms-continuation-NextPartitionKey");
      assertThat(page.values().size()).isLessThanOrEqualTo(top);
      page.values().forEach(item -> seen.add(item.path("TableName").asText()));
      token = ScratchTable.nextPage(page);
      assertThat(token).doesNotContain(";").doesNotContain("%3B");
    } while (!token.isEmpty());
    assertThat(seen).isEqualTo(created);
  }

  @Test
  @Tag("long")
  @Documented("table-rest 5.4")
  void aPageHasAtMostThousandTables() {
    create(IntStream.range(0, 1001).mapToObj("%04d"::formatted).toArray(String[]::new));
    WireAnswer page = wire.get("/Tables?$filter=" + Keys.encode(ofPrefix())).send();
    assertThat(page.values()).hasSize(1000);
    String next = ScratchTable.nextPage(page);
    WireAnswer last = wire.get("/Tables?$filter=" + Keys.encode(ofPrefix()) + next).send();
    assertThat(last.values()).hasSize(1);
  }

  @Test
  @Documented("table-rest 6.1, 6.3, 6.4; mission T7")
  void manyTablesAreCreatedListedAndDeleted() {
    createListAndDelete(500);
  }

  @Test
  @Tag("long")
  @Documented("table-rest 6.1, 6.3, 6.4; mission T7")
  void tenThousandTablesAreCreatedListedAndDeleted() {
    createListAndDelete(10_000);
  }

  private void createListAndDelete(int count) {
    List<String> names =
        IntStream.range(0, count).mapToObj(i -> prefix + "%05d".formatted(i)).toList();
    names.parallelStream()
        .map(ScratchTable::named)
        .forEach(
            table ->
                expect(wire.post("/Tables", "{\"TableName\":\"" + table.name() + "\"}").send())
                    .status(201));
    assertThat(listByPages(90)).isEqualTo(names);
    assertThat(listByPages(1000)).isEqualTo(names);
    names.parallelStream()
        .forEach(name -> expect(wire.delete("/Tables('" + name + "')").send()).status(204));
    assertThat(listByPages(1000)).isEmpty();
  }

  private List<String> listByPages(int top) {
    List<String> seen = new ArrayList<>();
    String token = "";
    do {
      String options = "?$top=" + top + "&$filter=" + Keys.encode(ofPrefix()) + token;
      WireAnswer page = wire.get("/Tables" + options).send();
      expect(page).status(200);
      assertThat(page.values().size()).isLessThanOrEqualTo(top);
      page.values().forEach(item -> seen.add(item.path("TableName").asText()));
      token = ScratchTable.nextPage(page);
    } while (!token.isEmpty());
    return seen;
  }

  @Test
  @Documented("table-rest 6.4, 9.2, 15 tables: delete and re-create at once")
  @Differs("Azure answers 409 TableBeingDeleted for 40 seconds or more")
  void aDeletedTableIsGoneAndItsNameIsFreeAtOnce() {
    String name = create("x").get(0);
    expect(wire.post("/" + name, entity("r")).send()).status(201);
    WireAnswer deleted = wire.delete("/Tables('" + name + "')").send();
    expect(deleted).status(204).emptyBody();
    expect(wire.get("/" + name + "()").send()).error(404, "TableNotFound");
    assertThat(list(ofPrefix())).isEmpty();
    create("x");
    assertThat(wire.get("/" + name + "()").send().values()).isEmpty();
  }

  @Test
  @Documented("table-rest 5.1, 6.4")
  void aTableIsDeletedInAnyLetterCase() {
    create("Xy");
    expect(wire.delete("/Tables('" + prefix.toLowerCase(Locale.ROOT) + "xY')").send()).status(204);
    assertThat(list(ofPrefix())).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"{}", "{\"TableName\":null}", "{\"TableName\":5}", "[]", "", "{\"TableName\""})
  @Documented("table-rest 6.3")
  void aTableWithoutNameIsRefused(String json) {
    expect(wire.post("/Tables", json).send()).refused().status(400);
  }

  @Test
  @Documented("table-rest 6.3")
  void otherMembersBesideTheNameAreIgnored() {
    ScratchTable table = ScratchTable.named(prefix);
    String json = "{\"odata.metadata\":\"x\",\"TableName\":\"" + prefix + "\"}";
    expect(wire.post("/Tables", json).send()).status(201);
    expect(wire.get("/Tables('" + table.name() + "')").send()).status(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"TableName eq 5", "TableName eq", "eq 'x'", "TableName frob 'x'"})
  @Documented("table-rest 7.3")
  void badTableFiltersAreRefused(String filter) {
    expect(wire.get("/Tables?$filter=" + Keys.encode(filter)).send()).error(400, "InvalidInput");
  }
}
