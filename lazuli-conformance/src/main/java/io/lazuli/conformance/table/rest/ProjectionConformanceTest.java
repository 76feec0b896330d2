package io.lazuli.conformance.table.rest;

import static io.lazuli.conformance.table.ScratchTable.entity;
import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Differs;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.table.ScratchTable;
import io.lazuli.conformance.wire.Keys;
import io.lazuli.conformance.wire.WireAnswer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The properties that are returned when a client selects some. */
@Covers(Area.FILTERS)
class ProjectionConformanceTest {

  private final ScratchTable table = ScratchTable.create();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "A | A",
        "B,A | B;A",
        "A,RowKey | RowKey;A",
        "Z,Timestamp,PartitionKey,A | PartitionKey;Timestamp;Z;A",
        "A, B | A;B",
        "A,A | A",
        "RowKey,Manager Rating,Peer Rating,Comments | RowKey;Manager Rating;Peer Rating;Comments"
      })
  @Documented("table-rest 7.5")
  @Differs("Azurite 3.37.0 leaves out properties that an entity lacks")
  void onlyNamedPropertiesComeBackInTheOrderAskedFor(String select, String expected) {
    table.inserted(entity("r", "\"A\":1,\"B\":2,\"C\":3"));
    String option = "$select=" + Keys.encode(select);
    JsonNode listed =
        table.query(option).accept("application/json;odata=nometadata").send().values().get(0);
    JsonNode single =
        table
            .wire()
            .get(table.path("p", "r") + "?" + option)
            .accept("application/json;odata=nometadata")
            .send()
            .json();
    String[] names = expected.split(";", -1);
    assertThat(listed.fieldNames()).toIterable().containsExactly(names);
    assertThat(single.fieldNames()).toIterable().containsExactly(names);
  }

  @Test
  @Documented("table-rest 7.5, 13.4")
  @Differs("Azurite 3.37.0 leaves it out")
  void aSelectedPropertyThatAnEntityLacksIsNull() {
    String tag = table.inserted(entity("r", "\"A\":1"));
    WireAnswer answer = table.query("$select=A,Gift").send();
    String json = tag.replace("\"", "\\\"");
    assertThat(answer.text())
        .isEqualTo(
            "{\"odata.metadata\":\"%s/$metadata#%s&$select=A,Gift\",\"value\":[{\"odata.etag\":\"%s\",\"A\":1,\"Gift\":null}]}"
                .formatted(table.base(), table.name(), json));
    WireAnswer single = table.wire().get(table.path("p", "r") + "?$select=Gift,A").send();
    expect(single).header("ETag", tag);
    assertThat(single.text())
        .isEqualTo(
            "{\"odata.metadata\":\"%s/$metadata#%s/@Element&$select=Gift,A\",\"odata.etag\":\"%s\",\"Gift\":null,\"A\":1}"
                .formatted(table.base(), table.name(), json));
  }

  @ParameterizedTest
  @ValueSource(strings = {"$select=", "$select=*"})
  @Documented("table-rest 7.5: do")
  void anEmptySelectionIsEverything(String option) {
    table.inserted(entity("r", "\"A\":1,\"B\":2"));
    assertThat(table.query(option).send().values().get(0).has("A")).isTrue();
    assertThat(table.query(option).send().values().get(0).has("Timestamp")).isTrue();
  }

  @Test
  @Documented("table-rest 7.5")
  void theFullLevelKeepsItsLinks() {
    table.inserted(entity("r", "\"A\":1"));
    JsonNode item =
        table
            .query("$select=A")
            .accept("application/json;odata=fullmetadata")
            .send()
            .values()
            .get(0);
    assertThat(item.has("odata.id")).isTrue();
    assertThat(item.has("odata.editLink")).isTrue();
    assertThat(item.has("odata.etag")).isTrue();
    assertThat(item.has("PartitionKey")).isFalse();
  }

  @Test
  @Documented("table-rest 7.5")
  void aFilterMayUseWhatIsNotSelected() {
    table.inserted(entity("1", "\"A\":1,\"B\":1"));
    table.inserted(entity("2", "\"A\":2,\"B\":2"));
    JsonNode found = table.query("$filter=B%20eq%202", "$select=A").send().values();
    assertThat(found).hasSize(1);
    assertThat(found.get(0).path("A").asInt()).isEqualTo(2);
  }
}
