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
import io.lazuli.conformance.wire.WireRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every kind of answer at the three metadata levels, byte by byte, and how the level is chosen. */
@Covers(Area.OPERATIONS)
class MetadataLevelsConformanceTest {

  private final ScratchTable table = ScratchTable.create();

  enum Level {
    nometadata,
    minimalmetadata,
    fullmetadata;

    String mediaType() {
      return "application/json;odata=" + name();
    }

    String contentType() {
      return mediaType() + ";streaming=true;charset=utf-8";
    }
  }

  @ParameterizedTest
  @EnumSource
  @Documented("table-rest 4.2, 6.3")
  @Differs("Azurite 3.37.0 has other content types and links")
  void createTable(Level level) {
    ScratchTable other = ScratchTable.named(ScratchTable.freshName());
    WireAnswer answer =
        table
            .wire()
            .post("/Tables", "{\"TableName\":\"" + other.name() + "\"}")
            .accept(level.mediaType())
            .send();
    expect(answer).status(201).header("Content-Type", level.contentType());
    assertThat(answer.text()).isEqualTo(single("Tables", tableText(other.name(), level), level));
  }

  @ParameterizedTest
  @EnumSource
  @Documented("table-rest 4.2, 6.2")
  @Differs("Azurite 3.37.0 answers with the entities")
  void readTable(Level level) {
    WireAnswer answer =
        table.wire().get("/Tables('" + table.name() + "')").accept(level.mediaType()).send();
    expect(answer).status(200).header("Content-Type", level.contentType());
    assertThat(answer.text()).isEqualTo(single("Tables", tableText(table.name(), level), level));
  }

  @ParameterizedTest
  @EnumSource
  @Documented("table-rest 4.2, 6.1")
  @Differs("Azurite 3.37.0 has other content types")
  void listTables(Level level) {
    String filter = "?$filter=" + Keys.encode("TableName eq '" + table.name() + "'");
    WireAnswer answer = table.wire().get("/Tables" + filter).accept(level.mediaType()).send();
    expect(answer).status(200).header("Content-Type", level.contentType());
    String items = "[{" + tableText(table.name(), level) + "}]";
    assertThat(answer.text()).isEqualTo(listing("Tables", items, level));
  }

  @ParameterizedTest
  @EnumSource
  @Documented("table-rest 4.2, 6.9")
  @Differs("Azurite 3.37.0 puts Timestamp last")
  void insertEntity(Level level) {
    WireAnswer answer =
        table
            .insert(entity("r", "\"I\":1,\"L@odata.type\":\"Edm.Int64\",\"L\":\"2\""))
            .accept(level.mediaType())
            .send();
    expect(answer).status(201).header("Content-Type", level.contentType());
    assertThat(answer.text())
        .isEqualTo(single(table.name(), entityText(answer.etag(), level), level));
  }

  @ParameterizedTest
  @EnumSource
  @Documented("table-rest 4.2, 6.8, 13.3")
  @Differs("Azurite 3.37.0 puts Timestamp last")
  void readEntity(Level level) {
    String tag = table.inserted(entity("r", "\"I\":1,\"L@odata.type\":\"Edm.Int64\",\"L\":\"2\""));
    WireAnswer answer = table.read("p", "r").accept(level.mediaType()).send();
    expect(answer).status(200).header("Content-Type", level.contentType()).header("ETag", tag);
    assertThat(answer.text()).isEqualTo(single(table.name(), entityText(tag, level), level));
  }

  @ParameterizedTest
  @EnumSource
  @Documented("table-rest 4.2, 6.8")
  @Differs("Azurite 3.37.0 writes $metadata#Tables/@Element")
  void queryEntities(Level level) {
    String tag = table.inserted(entity("r", "\"I\":1,\"L@odata.type\":\"Edm.Int64\",\"L\":\"2\""));
    WireAnswer answer = table.query().accept(level.mediaType()).send();
    expect(answer).status(200).header("Content-Type", level.contentType());
    String items = "[{" + entityText(tag, level) + "}]";
    assertThat(answer.text()).isEqualTo(listing(table.name(), items, level));
  }

  @ParameterizedTest
  @EnumSource
  @Documented("table-rest 6.8")
  @Differs("Azurite 3.37.0 writes $metadata#Tables/@Element")
  void queryWithoutResult(Level level) {
    WireAnswer answer = table.query().accept(level.mediaType()).send();
    assertThat(answer.text()).isEqualTo(listing(table.name(), "[]", level));
  }

  @ParameterizedTest
  @EnumSource
  @Documented("table-rest 4.1 rule 1; table-rest 15 levels")
  @Differs("Azurite 3.37.0 has other content types")
  void formatOptionBeatsAccept(Level level) {
    table.inserted(entity("r"));
    String format = "?$format=" + Keys.encode(level.mediaType());
    String filter = "&$filter=" + Keys.encode("TableName eq '" + table.name() + "'");
    String opposite = level == Level.nometadata ? "fullmetadata" : "nometadata";
    for (WireRequest request :
        new WireRequest[] {
          table.wire().get("/Tables" + format + filter),
          table.wire().get(table.path() + "()" + format),
          table.wire().get(table.path("p", "r") + format),
          table.wire().post(table.path() + format, entity("r2"))
        }) {
      WireAnswer answer = request.accept("application/json;odata=" + opposite).send();
      expect(answer).header("Content-Type", level.contentType());
      assertThat(answer.text().contains("odata.metadata")).isEqualTo(level != Level.nometadata);
      assertThat(answer.text().contains("odata.id")).isEqualTo(level == Level.fullmetadata);
    }
  }

  @Test
  @Documented("table-rest 4.1 rule 1")
  void formatJsonIsMinimal() {
    expect(table.query("$format=json").accept("application/json;odata=fullmetadata").send())
        .header("Content-Type", Level.minimalmetadata.contentType());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "application/json | minimalmetadata",
        "*/* | minimalmetadata",
        "application/json;odata=minimalmetadata, application/atom+xml | minimalmetadata",
        "application/atom+xml,application/xml, application/json;odata=nometadata | nometadata",
        "application/json; odata=fullmetadata | fullmetadata",
        "application/json;odata=nometadata;charset=utf-8 | nometadata",
        "application/json;charset=utf-8;odata=fullmetadata | fullmetadata",
        "text/html, application/json;q=0.5 | minimalmetadata"
      })
  @Documented("table-rest 4.1 rules 2, 3")
  @Differs("Azurite 3.37.0 answers 415 to */* and to parameters after the level")
  void acceptChoosesTheLevel(String accept, Level level) {
    expect(table.query().accept(accept).send())
        .status(200)
        .header("Content-Type", level.contentType());
  }

  @Test
  @Documented("table-rest 4.1 rule 3")
  void withoutAcceptTheLevelIsMinimal() {
    expect(table.query().without("Accept").send())
        .status(200)
        .header("Content-Type", Level.minimalmetadata.contentType());
  }

  @ParameterizedTest
  @CsvSource({
    "application/atom+xml, AtomFormatNotSupported",
    "application/xml, AtomFormatNotSupported",
    "application/json;odata=verbose, JsonVerboseFormatNotSupported",
    "text/html, MediaTypeNotSupported"
  })
  @Documented("table-rest 4.1 rules 4 to 6")
  void otherFormatsAreRefused(String accept, String code) {
    expect(table.query().accept(accept).send()).error(415, code);
  }

  @ParameterizedTest
  @ValueSource(strings = {"nometadata", "minimalmetadata", "fullmetadata"})
  @Documented("table-rest 9.1")
  void errorsHaveTheSameBodyAtEveryLevel(String level) {
    WireAnswer answer = table.read("p", "none").accept("application/json;odata=" + level).send();
    expect(answer).error(404, "ResourceNotFound");
    assertThat(answer.text()).startsWith("{\"odata.error\":{\"code\":");
  }

  @Test
  @Documented("table-rest 4.2: the Java client fails on any other member")
  void aListingWithMorePagesHasNoExtraMembers() {
    table.inserted(entity("1"));
    table.inserted(entity("2"));
    WireAnswer page = table.query("$top=1").send();
    expect(page).hasHeader("x-ms-continuation-NextPartitionKey");
    assertThat(page.json().fieldNames())
        .toIterable()
        .containsExactlyInAnyOrder("odata.metadata", "value");
  }

  private String single(String set, String members, Level level) {
    String metadata = "\"odata.metadata\":\"" + table.base() + "/$metadata#" + set + "/@Element\",";
    return "{" + (level == Level.nometadata ? "" : metadata) + members + "}";
  }

  private String listing(String set, String items, Level level) {
    String metadata = "\"odata.metadata\":\"" + table.base() + "/$metadata#" + set + "\",";
    return "{" + (level == Level.nometadata ? "" : metadata) + "\"value\":" + items + "}";
  }

  private String tableText(String name, Level level) {
    String resource = "Tables('" + name + "')";
    String links =
        "\"odata.type\":\"%s.Tables\",\"odata.id\":\"%s/%s\",\"odata.editLink\":\"%s\","
            .formatted(table.wire().account().name(), table.base(), resource, resource);
    return (level == Level.fullmetadata ? links : "") + "\"TableName\":\"" + name + "\"";
  }

  /** Returns the expected text of the entity with the members I and L that the cases insert. */
  private String entityText(String tag, Level level) {
    String resource = Keys.resource(table.name(), "p", "r");
    String stamp = tag.substring("W/\"datetime'".length(), tag.length() - 2).replace("%3A", ":");
    boolean full = level == Level.fullmetadata;
    boolean annotated = level != Level.nometadata;
    StringBuilder text = new StringBuilder();
    if (full) {
      text.append("\"odata.type\":\"" + table.wire().account().name() + "." + table.name() + "\",");
      text.append("\"odata.id\":\"" + table.base() + "/" + resource + "\",");
    }
    text.append(annotated ? "\"odata.etag\":\"" + tag.replace("\"", "\\\"") + "\"," : "");
    text.append(full ? "\"odata.editLink\":\"" + resource + "\"," : "");
    text.append("\"PartitionKey\":\"p\",\"RowKey\":\"r\",");
    text.append(full ? "\"Timestamp@odata.type\":\"Edm.DateTime\"," : "");
    text.append("\"Timestamp\":\"" + stamp + "\",\"I\":1,");
    text.append(annotated ? "\"L@odata.type\":\"Edm.Int64\"," : "");
    return text.append("\"L\":\"2\"").toString();
  }
}
