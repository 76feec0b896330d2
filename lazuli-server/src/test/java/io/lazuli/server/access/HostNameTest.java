package io.lazuli.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostNameTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "localhost",
        "LOCALHOST:10000",
        "localhost.",
        "localhost.localdomain",
        "acct.blob.localhost:10000",
        "127.0.0.1",
        "127.0.0.1:10000",
        "127.8.9.255:1",
        "[::1]",
        "[::1]:10000",
        "[0:0:0:0:0:0:0:1]:1",
        "[::ffff:127.0.0.1]:1",
      })
  void thisMachineHasTheseNames(String authority) {
    assertThat(HostName.ofAuthority(authority).isLoopback()).isTrue();
    assertThat(HostName.ofOrigin("http://" + authority).isLoopback()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ":10000",
        "evil.example",
        "evil.example:10000",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "127.0.0.1.nip.io:10000",
        "notlocalhost",
        "127.0.0",
        "128.0.0.1",
        "0.0.0.0",
        "10.0.0.1:10000",
        "[::2]:10000",
        "[::]",
        "::1",
        "[fe80::1]",
        "[evil]",
        "[:::]",
        "host.docker.internal",
      })
  void otherMachinesHaveTheseNames(String authority) {
    assertThat(HostName.ofAuthority(authority).isLoopback()).isFalse();
    assertThat(HostName.ofOrigin("https://" + authority).isLoopback()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "localhost", "file://", "chrome-extension://abc", ""})
  void originsWithoutAHostAreNotOfThisMachine(String origin) {
    assertThat(HostName.ofOrigin(origin).isLoopback()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "azurite,azurite,true",
    "acct.blob.azurite,azurite,true",
    "notazurite,azurite,false",
    "azurite.evil.example,azurite,false",
    "[2001:DB8::1]:1,[2001:db8::1],true",
    "192.0.2.1:80,192.0.2.1,true",
  })
  void aNameIncludesTheNamesBelowIt(String authority, String name, boolean isWithin) {
    assertThat(HostName.ofAuthority(authority).isWithin(HostName.of(name))).isEqualTo(isWithin);
  }
}
