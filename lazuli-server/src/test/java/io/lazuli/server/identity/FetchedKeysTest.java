package io.lazuli.server.identity;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** How often an issuer is asked, and what happens when it does not answer. */
class FetchedKeysTest {
  private final List<String> asked = new ArrayList<>();
  private String document =
      "{\"issuer\":\"" + TestTokens.ISSUER + "\",\"jwks_uri\":\"https://keys.example/k\"}";
  private String published = TestTokens.published(TestTokens.RSA);
  private boolean reachable = true;
  private long nanos;
  private final FetchedKeys keys =
      new FetchedKeys(new Issuer(TestTokens.ISSUER), this::get, () -> nanos);

  private CompletionStage<String> get(String url, String issuer) {
    asked.add(url);
    assertThat(issuer).isEqualTo(TestTokens.ISSUER);
    if (!reachable) {
      return CompletableFuture.failedFuture(new KeysException("no answer in time"));
    }
    return CompletableFuture.completedFuture(
        url.endsWith("/.well-known/openid-configuration") ? document : published);
  }

  private void pass(Duration time) {
    nanos += time.toNanos();
  }

  @Test
  void theDocumentNamesTheKeys() {
    keys.refresh();
    assertThat(asked)
        .containsExactly(
            TestTokens.ISSUER + "/.well-known/openid-configuration", "https://keys.example/k");
    assertThat(keys.current().isEmpty()).isFalse();
    assertThat(keys.trouble()).isEmpty();
  }

  @Test
  void strangersCannotMakeItAskOften() {
    for (int i = 0; i < 1_000; i++) {
      assertThat(keys.newer().toCompletableFuture()).isCompleted();
    }
    assertThat(asked).hasSize(2);
    pass(FetchedKeys.PAUSE_MIN);
    for (int i = 0; i < 1_000; i++) {
      assertThat(keys.newer().toCompletableFuture()).isCompleted();
    }
    assertThat(asked).hasSize(4);
  }

  @Test
  void keysAreFetchedAgainAfterAnHourAndSoonerAfterAFailure() {
    keys.refresh();
    pass(FetchedKeys.REFRESH_PERIOD.minusSeconds(1));
    keys.refresh();
    assertThat(asked).hasSize(2);
    pass(Duration.ofSeconds(1));
    reachable = false;
    keys.refresh();
    assertThat(asked).hasSize(3);
    pass(FetchedKeys.PAUSE_MIN);
    reachable = true;
    keys.refresh();
    assertThat(asked).hasSize(5);
    assertThat(keys.trouble()).isEmpty();
  }

  @Test
  void keysStayWhenTheIssuerIsGone() {
    keys.refresh();
    KeySet before = keys.current();
    pass(FetchedKeys.REFRESH_PERIOD);
    reachable = false;
    keys.refresh();
    assertThat(before.isStill(keys.current())).isTrue();
    assertThat(keys.trouble()).endsWith("no answer in time; the last ones stay in use");
  }

  @Test
  void keysThatDidNotChangeKeepTheirObject() {
    keys.refresh();
    KeySet before = keys.current();
    pass(FetchedKeys.REFRESH_PERIOD);
    keys.refresh();
    assertThat(before.isStill(keys.current())).isTrue();
    pass(FetchedKeys.REFRESH_PERIOD);
    published = TestTokens.published(TestTokens.EC);
    keys.refresh();
    assertThat(before.isStill(keys.current())).isFalse();
  }

  @Test
  void anythingElseIsATroubleAndNoKey() {
    document = "{\"issuer\":\"https://other.example\",\"jwks_uri\":\"https://keys.example/k\"}";
    keys.refresh();
    assertThat(keys.trouble())
        .isEqualTo(
            "the keys of the issuer "
                + TestTokens.ISSUER
                + " cannot be fetched: its document has another issuer: https://other.example;"
                + " its tokens are refused");
    for (String broken : List.of("", "[]", "{", "{\"issuer\":1}", "{}")) {
      pass(FetchedKeys.PAUSE_MIN);
      document = broken;
      keys.refresh();
      assertThat(keys.current().isEmpty()).isTrue();
      assertThat(keys.trouble()).contains("its document");
    }
  }

  @Test
  void keysThatCannotBeUsedChangeNothing() {
    keys.refresh();
    for (String broken :
        List.of("", "{}", "{\"keys\":[]}", "{\"keys\":[{\"kty\":\"oct\",\"k\":\"AQAB\"}]}")) {
      pass(FetchedKeys.REFRESH_PERIOD);
      published = broken;
      keys.refresh();
      assertThat(keys.trouble()).contains("the last ones stay in use");
      assertThat(keys.current().isEmpty()).isFalse();
    }
  }
}
