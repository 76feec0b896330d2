package io.lazuli.server.table.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.http.Response;
import io.lazuli.server.http.TestRequests;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An error has the form that an answer to the same request would have. */
class ODataErrorFormTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | */*",
        "'' | application/*",
        "'' | application/json",
        "'' | application/json;odata=fullmetadata",
        "'' | application/json;odata=\"fullmetadata\"",
        "'' | APPLICATION/JSON; OData = NoMetadata",
        "'' | application/json;odata=unheardof",
        "'' | application/json;odata=nometadata;q=0.1, application/json;odata=fullmetadata;q=0.9",
        "'' | application/json;odata=fullmetadata, application/json;odata=nometadata",
        "'' | text/html;odata=nometadata, application/json",
        "'' | application/atom+xml, application/json;odata=nometadata;q=0.5",
        "json | application/json;odata=nometadata",
        "application/json | application/json;odata=nometadata",
        "application/json;odata=fullmetadata | application/json;odata=nometadata",
      })
  void jsonHasTheLevelOfAnAnswer(String format, String accept) {
    assertThat(contentType(format, accept))
        .isEqualTo(MediaTypes.level(format, accept).contentType());
  }

  @ParameterizedTest
  @CsvSource({
    "'',application/xml",
    "'',application/atom+xml",
    "'',text/json",
    "'',application/vnd.api+json",
    "'',text/html",
    "atom,application/json",
  })
  void aRequestThatDoesNotTakeJsonGetsXml(String format, String accept) {
    assertThat(contentType(format, accept)).isEqualTo("application/xml");
  }

  /** The server has no answers in this format, but the client reads JSON. */
  @ParameterizedTest
  @CsvSource({
    "'',application/json;odata=verbose",
    "application/json;odata=verbose,application/xml",
  })
  void verboseJsonGetsTheDefaultLevel(String format, String accept) {
    assertThat(contentType(format, accept)).isEqualTo(MetadataLevel.MINIMAL.contentType());
  }

  @ParameterizedTest
  @CsvSource({"acl", "properties", "stats"})
  void resourcesInXmlHaveErrorsInXml(String component) {
    assertThat(contentTypeOf("/a/t?comp=" + component, "application/json"))
        .isEqualTo("application/xml");
  }

  private static String contentType(String format, String accept) {
    return contentTypeOf(
        "/a/t" + (format.isEmpty() ? "" : "?$format=" + format.replace(";", "%3B")), accept);
  }

  private static String contentTypeOf(String target, String accept) {
    Response.Builder out = Response.of(404);
    new ODataErrorForm()
        .writeBody(
            out,
            TestRequests.of("GET", target, "Accept", accept),
            CommonErrors.RESOURCE_NOT_FOUND.exception(),
            Instant.EPOCH);
    return out.build().header("Content-Type");
  }
}
