package io.lazuli.server.error;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ErrorBodyTest {
  private static final String ID = "2b6a1e3c-0002-0011-22aa-334455667788";
  private static final Instant TIME = Instant.parse("2024-01-15T10:30:00.123456789Z");

  @Test
  void jsonIsWrittenAsTheServiceWritesIt() {
    assertThat(json("ResourceNotFound", "The specified resource does not exist."))
        .isEqualTo(
            "{\"odata.error\":{\"code\":\"ResourceNotFound\",\"message\":{\"lang\":\"en-US\","
                + "\"value\":\"The specified resource does not exist.\\nRequestId:"
                + ID
                + "\\nTime:2024-01-15T10:30:00.1234567Z\"}}}");
  }

  @Test
  void xmlIsWrittenAsTheServiceWritesIt() {
    assertThat(xml("InvalidXmlDocument", "XML specified is not syntactically valid."))
        .isEqualTo(
            "<?xml version=\"1.0\" encoding=\"utf-8\"?><m:error xmlns:m="
                + "\"http://schemas.microsoft.com/ado/2007/08/dataservices/metadata\">"
                + "<m:code>InvalidXmlDocument</m:code><m:message xml:lang=\"en-US\">"
                + "XML specified is not syntactically valid.\nRequestId:"
                + ID
                + "\nTime:2024-01-15T10:30:00.1234567Z</m:message></m:error>");
  }

  @Test
  void theTimeAlwaysHasSevenDigits() {
    assertThat(ErrorBody.time(Instant.parse("2024-01-15T10:30:00Z")))
        .isEqualTo("2024-01-15T10:30:00.0000000Z");
  }

  @Test
  void textOfTheClientIsEscaped() {
    assertThat(json("C", "a\"b\\c\u0001\té\ud83d\ude00\ud800"))
        .contains("\"value\":\"a\\\"b\\\\c\\u0001\\u0009é\\ud83d\\ude00\\ud800\\n");
    assertThat(xml("C", "<a>&\u0001é\ud83d\ude00\ud800\uffff"))
        .contains("\">&lt;a&gt;&amp;?é\ud83d\ude00??\n");
  }

  private static String json(String code, String text) {
    return new String(ErrorBody.json(code, text, ID, TIME), StandardCharsets.UTF_8);
  }

  private static String xml(String code, String text) {
    return new String(ErrorBody.xml(code, text, ID, TIME), StandardCharsets.UTF_8);
  }
}
