package io.lazuli.server.outbound;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules for hosts and addresses of other servers (blob-features 5.5). */
class AllowedSourcesTest {
  private static AllowedSources list(String text) {
    return Objects.requireNonNull(AllowedSources.parse(text));
  }

  private static SourceUrl url(String text) {
    return Objects.requireNonNull(SourceUrl.parse(text));
  }

  @ParameterizedTest
  @CsvSource({
    "a.example, https://a.example/x, true",
    "a.example, https://A.EXAMPLE:443/x, true",
    "a.example, https://a.example./x, true",
    "a.example, http://a.example/x, false",
    "a.example, https://a.example:444/x, false",
    "a.example, https://b.a.example/x, false",
    "a.example, https://a.example.evil.test/x, false",
    "http://a.example:8080, http://a.example:8080/x, true",
    "http://a.example:8080, https://a.example:8080/x, false",
    "http://a.example:8080, http://a.example/x, false",
    "*.blob.example, https://acc.blob.example/x, true",
    "*.blob.example, https://blob.example/x, false",
    "*.blob.example, https://evilblob.example/x, false",
    "http://127.0.0.1:10000, http://127.0.0.1:10000/x, true",
    "http://127.0.0.1:10000, http://2130706433:10000/x, false",
    "http://127.0.0.1:10000, http://0x7f000001:10000/x, false",
    "http://[::1]:10000, http://[::1]:10000/x, true",
  })
  void schemeHostAndPortMustBeListed(String entry, String url, boolean listed) {
    assertThat(list(entry).contains(url(url))).isEqualTo(listed);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://user@a.example/x",
        "http://a.example",
        "http://a.example\\@b.example/x",
        "http://a.example/x y",
        "http://a.example/x\r\nHost: b",
        "http://a.example/x#y",
        "http://a.example:0/x",
        "http://a.example:70000/x",
        "http:///x",
        "gopher://a.example/x",
        "http://ä.example/x",
        "http://[::1/x",
      })
  void otherUrlsAreNotCalled(String url) {
    assertThat(SourceUrl.parse(url)).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "127.8.8.8",
        "0.0.0.0",
        "10.1.2.3",
        "100.64.0.1",
        "169.254.169.254",
        "172.16.0.1",
        "172.31.255.255",
        "192.168.1.1",
        "192.0.0.8",
        "198.18.0.1",
        "224.0.0.1",
        "239.255.255.255",
        "255.255.255.255",
        "240.0.0.1",
        "::",
        "::1",
        "fe80::1",
        "fec0::1",
        "fc00::1",
        "fd12::1",
        "ff02::1",
        "64:ff9b::a00:1",
        "2002:a00:1::",
        "2001::1",
        "2001:db8::1",
        "::a00:1"
      })
  void addressesThatAreNotPublicMustBeNamed(String address) throws UnknownHostException {
    InetAddress found = InetAddress.getByName(address);
    SourceUrl url = url("https://a.example/x");
    assertThat(list("a.example").permits(url, found)).isFalse();
    assertThat(list("a.example=" + address).permits(url, found)).isTrue();
  }

  @Test
  void anAddressThatMapsIpv4IsNotPublic() throws UnknownHostException {
    byte[] mapped = new byte[16];
    mapped[10] = mapped[11] = (byte) 0xff;
    mapped[12] = 8;
    InetAddress address = Inet6Address.getByAddress("a.example", mapped, 0);
    assertThat(list("a.example").permits(url("https://a.example/x"), address)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"8.8.8.8", "172.32.0.1", "100.128.0.1", "2600::1", "2a00:1450::1"})
  void publicAddressesArePermitted(String address) throws UnknownHostException {
    InetAddress found = InetAddress.getByName(address);
    assertThat(list("a.example").permits(url("https://a.example/x"), found)).isTrue();
  }

  @Test
  void anEntryPermitsOnlyTheAddressesThatItNames() throws UnknownHostException {
    AllowedSources sources = list("http://files.example=10.1.0.0/16,http://localhost:99");
    SourceUrl files = url("http://files.example/x");
    assertThat(sources.permits(files, InetAddress.getByName("10.1.2.3"))).isTrue();
    assertThat(sources.permits(files, InetAddress.getByName("10.2.2.3"))).isFalse();
    assertThat(sources.permits(files, InetAddress.getLoopbackAddress())).isFalse();
    SourceUrl local = url("http://localhost:99/x");
    assertThat(sources.permits(local, InetAddress.getLoopbackAddress())).isTrue();
    assertThat(sources.permits(local, InetAddress.getByName("169.254.0.1"))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "*", "ftp://a", "a:0", "a=b", "a/b", "a b", "a,", "https://*.*.a"})
  void otherEntriesAreRefused(String text) {
    assertThat(AllowedSources.parse(text)).isNull();
  }

  @Test
  void aListIsShownAsItWasGiven() {
    String text = "a.example,http://b.example:80=10.0.0.0/8,*.c.example";
    assertThat(list(text).text()).isEqualTo(text);
  }
}
