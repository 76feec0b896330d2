package io.lazuli.server.table.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.http.AnswerBudget;
import io.lazuli.server.http.AnswerBuffer;
import io.lazuli.server.http.Response;
import io.lazuli.server.table.encoding.EntityCodec;
import io.lazuli.server.table.encoding.Utf8;
import io.lazuli.server.table.model.DateTimeText;
import io.lazuli.server.table.model.EdmValue.BinaryValue;
import io.lazuli.server.table.model.EdmValue.BooleanValue;
import io.lazuli.server.table.model.EdmValue.DateTimeValue;
import io.lazuli.server.table.model.EdmValue.DoubleValue;
import io.lazuli.server.table.model.EdmValue.GuidValue;
import io.lazuli.server.table.model.EdmValue.Int32Value;
import io.lazuli.server.table.model.EdmValue.Int64Value;
import io.lazuli.server.table.model.EdmValue.StringValue;
import io.lazuli.server.table.model.Property;
import io.lazuli.server.table.service.StoredEntity;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EntityWriterTest {
  private static final String BASE = "http://127.0.0.1:10002/devstoreaccount1";

  /** The entity of table-rest 13.3. */
  private static final StoredEntity ORDER =
      entity(
          "cust-042",
          "order-0001",
          new Property("Total", new DoubleValue(19.5)),
          new Property("Items", new Int32Value(3)),
          new Property("Placed", new DateTimeValue(ticks("2024-01-15T10:29:58.5Z"))),
          new Property("Ref", new Int64Value(9007199254740993L)));

  private static final String TAIL =
      "\"Total\":19.5,\"Items\":3,\"Placed@odata.type\":\"Edm.DateTime\",\"Placed\":"
          + "\"2024-01-15T10:29:58.5Z\",\"Ref@odata.type\":\"Edm.Int64\","
          + "\"Ref\":\"9007199254740993\"}";
  private static final String ETAG =
      "\"odata.etag\":\"W/\\\"datetime'2024-01-15T10%3A30%3A00.1234567Z'\\\"\",";
  private static final String METADATA =
      "{\"odata.metadata\":\"" + BASE + "/$metadata#Orders/@Element\",";
  private static final String KEYS = "\"PartitionKey\":\"cust-042\",\"RowKey\":\"order-0001\",";

  @Test
  void noMetadata() {
    assertThat(single(MetadataLevel.NONE, Projection.ALL))
        .isEqualTo(
            "{"
                + KEYS
                + "\"Timestamp\":\"2024-01-15T10:30:00.1234567Z\",\"Total\":19.5,\"Items\":3,"
                + "\"Placed\":\"2024-01-15T10:29:58.5Z\",\"Ref\":\"9007199254740993\"}");
  }

  @Test
  void minimalMetadata() {
    assertThat(single(MetadataLevel.MINIMAL, Projection.ALL))
        .isEqualTo(
            METADATA + ETAG + KEYS + "\"Timestamp\":\"2024-01-15T10:30:00.1234567Z\"," + TAIL);
  }

  @Test
  void fullMetadata() {
    String link = "Orders(PartitionKey='cust-042',RowKey='order-0001')";
    assertThat(single(MetadataLevel.FULL, Projection.ALL))
        .isEqualTo(
            METADATA
                + "\"odata.type\":\"devstoreaccount1.Orders\",\"odata.id\":\""
                + BASE
                + "/"
                + link
                + "\","
                + ETAG
                + "\"odata.editLink\":\""
                + link
                + "\","
                + KEYS
                + "\"Timestamp@odata.type\":\"Edm.DateTime\","
                + "\"Timestamp\":\"2024-01-15T10:30:00.1234567Z\","
                + TAIL);
  }

  @Test
  void aProjectionShowsWhatWasAskedForAndNullForWhatIsMissing() {
    Projection projection = Projection.parse(" Gift , RowKey,Total,Total, Manager Rating");
    assertThat(single(MetadataLevel.MINIMAL, projection))
        .isEqualTo(
            "{\"odata.metadata\":\""
                + BASE
                + "/$metadata#Orders/@Element&$select=Gift,RowKey,Total,Manager Rating\","
                + ETAG
                + "\"RowKey\":\"order-0001\",\"Gift\":null,\"Total\":19.5,"
                + "\"Manager Rating\":null}");
  }

  @Test
  void anAnnotationThatIsSelectedIsNotWrittenTwice() {
    Projection projection = Projection.parse("odata.etag,Ref,Ref@odata.type");
    assertThat(single(MetadataLevel.MINIMAL, projection))
        .endsWith("\"," + ETAG + "\"Ref@odata.type\":\"Edm.Int64\",\"Ref\":\"9007199254740993\"}");
    assertThat(single(MetadataLevel.NONE, Projection.parse("odata.etag"))).isEqualTo("{}");
  }

  @Test
  void aPageHasNothingButItsMetadataAndValues() {
    EntityWriter writer =
        new EntityWriter(BASE, "acct", "Orders", MetadataLevel.NONE, Projection.ALL, 16);
    Response page = page(writer, List.of());
    assertThat(text(page.body())).isEqualTo("{\"value\":[]}");
  }

  @Test
  void otherTypesAreAnnotatedAndTextIsEscaped() {
    StoredEntity entity =
        entity(
            "O'Neil \ud83d\ude00",
            "a\"b",
            new Property("B", new BooleanValue(true)),
            new Property(
                "G", new GuidValue(UUID.fromString("A455C695-df98-5678-aaaa-81d3367e5a34"))),
            new Property("X", new BinaryValue(new byte[] {1, 2, 3, 4})),
            new Property("N", new DoubleValue(Double.NaN)),
            new Property("I", new DoubleValue(Double.NEGATIVE_INFINITY)),
            new Property("S", new StringValue("q\" b\\ n\n t\t u\u0001 é \ud83d\ude00 \ud83d|")));
    EntityWriter writer =
        new EntityWriter(BASE, "acct", "T", MetadataLevel.MINIMAL, Projection.ALL, 16);
    assertThat(text(writer.single(entity)))
        .contains("\"PartitionKey\":\"O'Neil \ud83d\ude00\",\"RowKey\":\"a\\\"b\"")
        .contains("\"B\":true")
        .contains("\"G@odata.type\":\"Edm.Guid\",\"G\":\"a455c695-df98-5678-aaaa-81d3367e5a34\"")
        .contains("\"X@odata.type\":\"Edm.Binary\",\"X\":\"AQIDBA==\"")
        .contains("\"N@odata.type\":\"Edm.Double\",\"N\":\"NaN\"")
        .contains("\"I@odata.type\":\"Edm.Double\",\"I\":\"-Infinity\"")
        .contains("\"S\":\"q\\\" b\\\\ n\\n t\\t u\\u0001 é \ud83d\ude00 \\ud83d|\"");
    assertThat(EntityWriter.path("T", entity))
        .isEqualTo("T(PartitionKey='O''Neil%20%F0%9F%98%80',RowKey='a%22b')");
  }

  @ParameterizedTest
  @CsvSource({
    "3, 3.0",
    "0, 0.0",
    "-0.0, -0.0",
    "3.1, 3.1",
    "1.5e24, 1.5E+24",
    "5e-324, 4.9E-324",
    "1.7976931348623157e308, 1.7976931348623157E+308",
    "1e10, 1.0E+10"
  })
  void doublesShowAPointOrASignedExponent(double value, String text) {
    assertThat(text(new JsonBuffer(1).number(value).toByteArray())).isEqualTo(text);
  }

  @Test
  void aPageEndsBeforeItIsTooLong() {
    String base = "x".repeat(3 << 20);
    EntityWriter writer =
        new EntityWriter(base, "acct", "T", MetadataLevel.FULL, Projection.ALL, 16);
    int[] shown = new int[1];
    AnswerBuffer body =
        AnswerBuffer.encode(
            AnswerBudget.unbounded(),
            out -> shown[0] = writer.page(List.of(ORDER, ORDER, ORDER), out));
    assertThat(shown[0]).isEqualTo(1);
    assertThat(body.length()).isBetween(6L << 20, 8L << 20);
  }

  @Test
  void aPageHasAtLeastOneEntity() {
    String base = "x".repeat(5 << 20);
    EntityWriter writer =
        new EntityWriter(base, "acct", "T", MetadataLevel.FULL, Projection.ALL, 16);
    int[] shown = new int[1];
    AnswerBuffer.encode(
        AnswerBudget.unbounded(), out -> shown[0] = writer.page(List.of(ORDER, ORDER), out));
    assertThat(shown[0]).isEqualTo(1);
  }

  private static Response page(EntityWriter writer, List<StoredEntity> entities) {
    AnswerBuffer body =
        AnswerBuffer.encode(AnswerBudget.unbounded(), out -> writer.page(entities, out));
    return Response.of(200).body("application/json", body).build();
  }

  private static String single(MetadataLevel level, Projection projection) {
    EntityWriter writer =
        new EntityWriter(BASE, "devstoreaccount1", "Orders", level, projection, 16);
    return text(writer.single(ORDER));
  }

  private static StoredEntity entity(String partitionKey, String rowKey, Property... properties) {
    byte[] record = EntityCodec.encode(List.of(properties));
    EntityCodec.setTicks(record, ticks("2024-01-15T10:30:00.1234567Z"));
    return new StoredEntity(Utf8.encodeKey(partitionKey), Utf8.encodeKey(rowKey), record);
  }

  private static long ticks(String time) {
    return DateTimeText.parse(time);
  }

  private static String text(byte[] json) {
    return new String(json, StandardCharsets.UTF_8);
  }
}
