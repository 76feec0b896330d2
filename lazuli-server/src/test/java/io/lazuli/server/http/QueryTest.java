package io.lazuli.server.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.server.error.ServiceException;
import io.lazuli.server.http.Query.Parameter;
import io.lazuli.storage.fuzz.Fuzz;
import io.lazuli.storage.fuzz.Values;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueryTest {
  @Test
  void parametersAreDecodedInOrder() {
    Query query = Query.parse("$filter=a%20eq%20'%2B+b'&&comp=acl&x&y=1=2&comp=two");
    assertThat(query.parameters())
        .containsExactly(
            new Parameter("$filter", "a eq '+ b'"),
            new Parameter("comp", "acl"),
            new Parameter("x", ""),
            new Parameter("y", "1=2"),
            new Parameter("comp", "two"));
    assertThat(query.first("comp")).isEqualTo("acl");
    assertThat(query.first("Comp")).isNull();
  }

  @Test
  void rawUtf8IsRead() {
    assertThat(Query.parse("a=\u00c3\u00a9").first("a")).isEqualTo("é");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a=%", "a=%4", "a=%zz", "%ff=a", "a=%c3", "a=%ed%a0%80"})
  void aQueryThatDoesNotDecodeIsUnreadable(String raw) {
    assertThat(Query.tryParse(raw)).isSameAs(Query.UNREADABLE);
    assertThatThrownBy(() -> Query.parse(raw))
        .isInstanceOf(ServiceException.class)
        .hasMessage("InvalidUri");
  }

  /** An unpaired surrogate has no UTF-8; it arrives as a question mark. */
  @Test
  void encodedTextIsDecodedBack() {
    Fuzz.forAll(
        300,
        Values.texts(255),
        text -> {
          String sent = new String(text.getBytes(UTF_8), UTF_8);
          assertThat(Query.parse("a=" + PercentEncoding.encode(text)).first("a")).isEqualTo(sent);
        });
  }
}
