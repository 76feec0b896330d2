package io.lazuli.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CorsRuleTest {
  @ParameterizedTest
  @CsvSource({
    "http://a.example,http://a.example,true",
    "http://a.example,http://A.example,false",
    "*,http://a.example,true",
    "http://*.contoso.com,http://www.contoso.com,true",
    "http://*.contoso.com,http://a.b.contoso.com,true",
    "http://*.contoso.com,http://contoso.com,false",
    "http://*.contoso.com,http://.contoso.com,false",
    "http://*.contoso.com,http://a..contoso.com,false",
    "http://*.contoso.com,http://xcontoso.com,false",
    "http://*.contoso.com,http://a.contoso.com:80,false",
    "http://*.contoso.com,https://a.contoso.com,false",
    "http://*.contoso.com,http://a.CONTOSO.com,false",
    "http://*.contoso.com,http://evil.example/.contoso.com,false",
    "http://*.contoso.com,http://evil.example:1.contoso.com,false",
    "http://*.contoso.com,http:/www.contoso.com,false",
    "http://*.contoso.com,x,false",
    "https://*.contoso.com:8443,https://a.contoso.com:8443,true",
    "http://*.contosoXcom,http://a.contoso.com,false",
    "http://*,http://a,false"
  })
  void anOriginIsAllowed(String pattern, String origin, boolean allowed) {
    assertThat(rule(pattern).allowsOrigin(origin)).isEqualTo(allowed);
  }

  @ParameterizedTest
  @CsvSource({
    "http://a.example,true",
    "null,true",
    "*,true",
    "https://*.contoso.com,true",
    "http://*.contoso.com:8080,true",
    "*.contoso.com,false",
    "http://*,false",
    "http://*.,false",
    "http://a*.contoso.com,false",
    "http://*.contoso.com/,false",
    "http://*.contoso.com:*,false"
  })
  void aWildcardIsTheFirstLabel(String pattern, boolean valid) {
    assertThat(rule(pattern).hasValidOrigins()).isEqualTo(valid);
  }

  private static CorsRule rule(String origin) {
    return new CorsRule(List.of("GET"), List.of(origin), List.of(), List.of(), 1);
  }
}
