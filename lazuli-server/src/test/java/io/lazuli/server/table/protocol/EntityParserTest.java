package io.lazuli.server.table.protocol;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.lazuli.server.error.ServiceException;
import io.lazuli.server.table.model.EdmValue;
import io.lazuli.server.table.model.EdmValue.BinaryValue;
import io.lazuli.server.table.model.EdmValue.BooleanValue;
import io.lazuli.server.table.model.EdmValue.DateTimeValue;
import io.lazuli.server.table.model.EdmValue.DoubleValue;
import io.lazuli.server.table.model.EdmValue.GuidValue;
import io.lazuli.server.table.model.EdmValue.Int32Value;
import io.lazuli.server.table.model.EdmValue.Int64Value;
import io.lazuli.server.table.model.EdmValue.StringValue;
import io.lazuli.server.table.model.Property;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EntityParserTest {
  @Test
  void typesAreInferredWithoutAnnotation() {
    assertThat(value("'x'")).isEqualTo(new StringValue("x"));
    assertThat(value("23")).isEqualTo(new Int32Value(23));
    assertThat(value("-2147483648")).isEqualTo(new Int32Value(Integer.MIN_VALUE));
    assertThat(value("1.5")).isEqualTo(new DoubleValue(1.5));
    assertThat(value("1e3")).isEqualTo(new DoubleValue(1000));
    assertThat(value("true")).isEqualTo(new BooleanValue(true));
  }

  @Test
  void membersAreBounded() {
    assertThat(parse("{" + members(1_000, "':null") + "}").properties()).isEmpty();
    for (String tail : new String[] {"':null", "':1", "@odata.type':''"}) {
      ServiceException refusal =
          catchThrowableOfType(
              ServiceException.class, () -> parse("{" + members(1_001, tail) + "}"));
      assertThat(refusal).hasMessage("TooManyProperties");
    }
  }

  private static String members(int count, String tail) {
    return IntStream.range(0, count).mapToObj(i -> "'a" + i + tail).collect(joining(","));
  }

  @Test
  void annotationsDecideBeforeOrBehindTheValue() {
    assertThat(parse("{'p@odata.type':'Edm.Int64','p':'9007199254740993'}").properties())
        .containsExactly(new Property("p", new Int64Value(9007199254740993L)));
    assertThat(parse("{'p':'9007199254740993','p@odata.type':'Edm.Int64'}").properties())
        .containsExactly(new Property("p", new Int64Value(9007199254740993L)));
  }

  @Test
  void everyTypeHasItsForms() {
    assertThat(value("64", "Edm.Int64")).isEqualTo(new Int64Value(64));
    assertThat(value("'23'", "Edm.Int32")).isEqualTo(new Int32Value(23));
    assertThat(value("5", "Edm.Double")).isEqualTo(new DoubleValue(5));
    assertThat(value("'0'", "Edm.Double")).isEqualTo(new DoubleValue(0));
    assertThat(value("'NaN'", "Edm.Double")).isEqualTo(new DoubleValue(Double.NaN));
    assertThat(value("'-Infinity'", "Edm.Double"))
        .isEqualTo(new DoubleValue(Double.NEGATIVE_INFINITY));
    assertThat(value("'false'", "Edm.Boolean")).isEqualTo(new BooleanValue(false));
    assertThat(value("'FALSE'", "Edm.Boolean")).isEqualTo(new BooleanValue(false));
    assertThat(value("'True'", "Edm.Boolean")).isEqualTo(new BooleanValue(true));
    assertThat(value("'AQID'", "Edm.Binary")).isEqualTo(new BinaryValue(new byte[] {1, 2, 3}));
    assertThat(value("'1601-01-01T00:00:00Z'", "Edm.DateTime")).isEqualTo(new DateTimeValue(0));
    assertThat(value("'A455C695-DF98-5678-AAAA-81D3367E5A34'", "Edm.Guid"))
        .isEqualTo(new GuidValue(UUID.fromString("a455c695-df98-5678-aaaa-81d3367e5a34")));
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "3000000000,",
        "3000000000,Edm.Int32",
        "'abc',Edm.Int64",
        "18446744073709551616,Edm.Int64",
        "1.5,Edm.Int32",
        "'nope',Edm.Guid",
        "'1-1-1-1-1',Edm.Guid",
        "'###',Edm.Binary",
        "'garbage',Edm.DateTime",
        "'x',Edm.Decimal",
        "'not a bool',Edm.Boolean",
        "1,Edm.Boolean",
        "7,Edm.String",
        "'0x1p3',Edm.Double",
        "1e999,",
        "true,Edm.Int32",
        "[],",
        "{},",
        "1,edm.int32"
      })
  void valuesThatDoNotFitAreRefused(String json, String type) {
    assertThat(refusal(type == null ? member(json) : member(json, type)).error().code())
        .isEqualTo("InvalidInput");
  }

  @Test
  void timesBefore1601AreOutOfRangeByName() {
    ServiceException refusal = refusal(member("'1600-01-01T00:00:00Z'", "Edm.DateTime"));
    assertThat(refusal.error().code()).isEqualTo("OutOfRangeInput");
    assertThat(refusal.text())
        .isEqualTo("The 'p' parameter of value '01/01/1600 00:00:00' is out of range.");
  }

  @Test
  void propertiesThatTheServiceSetsAreIgnored() {
    EntityBody body =
        parse(
            "{'odata.etag':'x','odata.metadata':{'a':[1]},'Timestamp':null,"
                + "'Timestamp@odata.type':'Edm.DateTime','PartitionKey':'a','RowKey':'b',"
                + "'PartitionKey@odata.type':'Edm.String','gone':null,'gone2@odata.type':'Edm.X',"
                + "'timestamp':1}");
    assertThat(body.partitionKey()).isEqualTo("a");
    assertThat(body.rowKey()).isEqualTo("b");
    assertThat(body.properties()).containsExactly(new Property("timestamp", new Int32Value(1)));
  }

  @Test
  void aMemberStandsOnce() {
    assertThat(refusal("{'a':1,'a':2}").error().code()).isEqualTo("DuplicatePropertiesSpecified");
    assertThat(parse("{'a':1,'A':2}").properties()).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "x",
        "[]",
        "1",
        "'a'",
        "{",
        "{'a'",
        "{'a':1",
        "{'a':1}}",
        "{'a':1} x",
        "{'a':01}",
        "{'a':NaN}",
        "{a:1}",
        "{'PartitionKey':5}",
        "{'RowKey':[]}",
        "null"
      })
  void bodiesThatAreNoEntityAreRefused(String json) {
    assertThat(refusal(json).error().code()).isEqualTo("InvalidInput");
  }

  @ParameterizedTest
  @ValueSource(strings = {"c0af", "e080af", "eda080", "f4908080", "f880808080", "c3", "ff"})
  void malformedUtf8IsRefused(String bytes) {
    String text = new String(HexFormat.of().parseHex(bytes), StandardCharsets.ISO_8859_1);
    byte[] body = ("{\"p\":\"" + text + "\"}").getBytes(StandardCharsets.ISO_8859_1);
    ServiceException refusal =
        catchThrowableOfType(ServiceException.class, () -> EntityParser.parse(body));
    assertThat(refusal.error().code()).isEqualTo("InvalidInput");
  }

  @Test
  void aByteOrderMarkIsSkipped() {
    assertThat(parse("\ufeff{'a':1}").properties()).hasSize(1);
  }

  @Test
  void noBodyBringsTheParserDown() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    byte[] valid =
        "{\"a\":\"x\",\"b@odata.type\":\"Edm.Int64\",\"b\":\"5\",\"c\":1.5e3}"
            .getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < 20_000; i++) {
      byte[] body = valid.clone();
      for (int change = random.nextInt(4); change >= 0; change--) {
        body[random.nextInt(body.length)] = (byte) random.nextInt(256);
      }
      try {
        EntityParser.parse(body);
      } catch (ServiceException e) {
        assertThat(e.error().status()).as("seed %d", seed).isEqualTo(400);
      }
    }
  }

  private static EdmValue value(String json) {
    return parse(member(json)).properties().get(0).value();
  }

  private static EdmValue value(String json, String type) {
    return parse(member(json, type)).properties().get(0).value();
  }

  private static String member(String json) {
    return "{'p':" + json + "}";
  }

  private static String member(String json, String type) {
    return "{'p':" + json + ",'p@odata.type':'" + type + "'}";
  }

  private static EntityBody parse(String json) {
    return EntityParser.parse(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  private static ServiceException refusal(String json) {
    ServiceException refusal = catchThrowableOfType(ServiceException.class, () -> parse(json));
    assertThat(refusal).as(json).isNotNull();
    return refusal;
  }
}
