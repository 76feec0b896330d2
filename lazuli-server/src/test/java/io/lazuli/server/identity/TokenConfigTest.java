package io.lazuli.server.identity;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenConfigTest {
  private static final String TENANT = "72f988bf-86f1-41af-91ab-2d7cd011db47";
  private static final UUID ID = UUID.fromString(TENANT);
  private static final String V1 = "https://sts.windows.net/" + TENANT + "/";
  private static final String V2 = "https://login.microsoftonline.com/" + TENANT + "/v2.0";

  private static TokenConfig of(String issuers) {
    return TokenConfig.NONE.withIssuers(Objects.requireNonNull(TokenConfig.parseIssuers(issuers)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "x",
        "http://a.example",
        "http://10.0.0.1/x",
        "ftp://127.0.0.1/",
        "https://a.example?x=1",
        "https://a.example#x",
        "https://user@a.example",
        "https://login.microsoftonline.com/contoso.onmicrosoft.com/v2.0",
        "https://a.example,"
      })
  void theseAreNotIssuers(String text) {
    assertThat(TokenConfig.parseIssuers(text)).isNull();
  }

  @Test
  void anEntraIssuerStandsForBothNamesOfItsTenant() {
    for (String url : List.of(V1, V2, "https://login.microsoftonline.com/" + TENANT)) {
      Issuer issuer = Objects.requireNonNull(Issuer.parse(url));
      assertThat(issuer.names(List.of())).containsExactlyInAnyOrder(V1, V2);
      assertThat(issuer.tenants(List.of())).containsExactly(ID);
      assertThat(issuer.isNamed(V1)).isTrue();
      assertThat(issuer.isNamed(V2)).isTrue();
      assertThat(issuer.isNamed(V2.replace("72f9", "72f8"))).isFalse();
    }
  }

  @Test
  void anIssuerForAllTenantsAcceptsTheListedOnes() {
    String url = "https://login.microsoftonline.com/common/v2.0";
    Issuer issuer = Objects.requireNonNull(Issuer.parse(url));
    assertThat(issuer.names(List.of(ID))).containsExactlyInAnyOrder(V1, V2);
    assertThat(issuer.names(List.of())).isEmpty();
    assertThat(issuer.isNamed("https://login.microsoftonline.com/{tenantid}/v2.0")).isTrue();
    assertThat(of(url).contradiction(true, true))
        .isEqualTo(url + " signs for every tenant: set oidc-tenant");
    assertThat(of(url).withTenants(List.of(ID)).contradiction(true, true)).isEmpty();
  }

  @Test
  void settingsThatContradictEachOtherAreNamed() {
    TokenConfig basic = TokenConfig.NONE.withOauth(TokenConfig.OAuth.BASIC);
    TokenConfig issuer = of("https://a.example");
    assertThat(TokenConfig.NONE.contradiction(false, false)).isEmpty();
    assertThat(issuer.contradiction(true, false)).isEmpty();
    assertThat(issuer.contradiction(false, true)).startsWith("tokens need https");
    assertThat(issuer.withOverHttp(true).contradiction(false, true)).isEmpty();
    assertThat(issuer.withOverHttp(true).contradiction(true, false))
        .startsWith("tokens-over-http is for loopback only");
    assertThat(issuer.withOauth(TokenConfig.OAuth.BASIC).contradiction(true, true))
        .startsWith("oauth = basic accepts tokens that nobody signed");
    assertThat(basic.withAudiences(List.of("x")).contradiction(true, true))
        .startsWith("oidc-audience, oidc-tenant and oidc-ca need");
    assertThat(TokenConfig.NONE.withOverHttp(true).contradiction(true, true))
        .startsWith("tokens-over-http needs");
    assertThat(
            issuer
                .withKeyFiles(Map.of(new Issuer("https://a.example"), Path.of("x")))
                .contradiction(true, true))
        .isEqualTo("https://a.example is in oidc-issuer and in oidc-jwks");
    assertThat(of(V2).withTenants(List.of(new UUID(1, 1))).contradiction(true, true))
        .isEqualTo("oidc-tenant excludes the tenant of " + V2);
  }

  @Test
  void theChallengeHasATenant() {
    String end = "/oauth2/authorize resource_id=https://storage.azure.com";
    String entra = "Bearer authorization_uri=https://login.microsoftonline.com/" + TENANT + end;
    assertThat(of(V1).challenge()).isEqualTo(entra);
    assertThat(of(V2).challenge()).isEqualTo(entra);
    TokenConfig keycloak = of("https://sso.example:8443/realms/x");
    assertThat(keycloak.challenge())
        .isEqualTo(
            "Bearer authorization_uri=https://sso.example:8443/"
                + "00000000-0000-0000-0000-000000000000"
                + end);
    assertThat(keycloak.withTenants(List.of(ID)).challenge()).contains("8443/" + TENANT + "/");
  }
}
