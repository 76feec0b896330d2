package io.lazuli.server.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.server.error.ServiceException;
import io.lazuli.server.http.Address;
import io.lazuli.server.http.Response;
import io.lazuli.server.http.TestRequests;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressingTest {
  private final Addressing addressing = new Addressing("table", List.of("acct")::contains);
  private final Addressing onOnePort =
      Addressing.inHosts("table", "storage.test", List.of("acct")::contains);

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1:10002,/acct/Orders(),/Orders(),false,http://127.0.0.1:10002/acct",
    "127.0.0.1:10002,/acct,'',false,http://127.0.0.1:10002/acct",
    "127.0.0.1:10002,/acct/,/,false,http://127.0.0.1:10002/acct",
    "localhost,/acct-secondary/t,/t,true,http://localhost/acct-secondary",
    "[::1]:10002,/acct/t,/t,false,http://[::1]:10002/acct",
    "lazuli.example.com,/acct/t,/t,false,http://lazuli.example.com/acct",
    "acct.table.example.com:80,/t/x,/t/x,false,http://acct.table.example.com:80",
    "ACCT.table.example.com,'','',false,http://ACCT.table.example.com",
    "acct-secondary.table.local,/t,/t,true,http://acct-secondary.table.local",
    "Acct.Table.local,/t,/t,false,http://Acct.Table.local",
    "acct.blob.example.com,/acct/t,/t,false,http://acct.blob.example.com/acct",
    "other.table.example.com,/acct/t,/t,false,http://other.table.example.com/acct",
  })
  void theAccountIsFound(String host, String target, String path, boolean secondary, String base) {
    assertThat(address(host, target)).isEqualTo(new Address("acct", secondary, path, base));
  }

  @Test
  void withoutHostStyleTheHostNamesNoAccount() {
    Addressing inPaths = new Addressing(null, List.of("acct", "other")::contains);
    assertThat(
            inPaths.find(TestRequests.of("GET", "/other/t", "Host", "acct.table.local")).account())
        .isEqualTo("other");
  }

  @ParameterizedTest
  @CsvSource({
    "localhost,/nobody/t",
    "localhost,/",
    "localhost,''",
    "localhost,*",
    "localhost,//acct",
    "nobody.table.local,/Tables",
  })
  void anUnknownAccountIsNotFound(String host, String target) {
    assertRefused(host, target, "ResourceNotFound");
  }

  @ParameterizedTest
  @CsvSource({
    "acct.table.storage.test,/t,/t,false",
    "acct.table.storage.test:80,/acct/t,/acct/t,false",
    "ACCT.TABLE.Storage.TEST:10000,'','',false",
    "acct.table.storage.test.:1,/,/,false",
    "acct.table.storage.test:,/t,/t,false",
    "acct-secondary.table.storage.test,/t,/t,true",
    "acct.table.storage.test:1,//c/b,/c/b,false",
    "acct.table.storage.test:1,///c//b,//c//b,false",
  })
  void onOnePortTheHostNamesTheAccount(String host, String target, String path, boolean secondary) {
    assertThat(address(onOnePort, host, target))
        .isEqualTo(new Address("acct", secondary, path, "http://" + host));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1:10000",
        "localhost",
        "[::1]:10000",
        "storage.test",
        "table.storage.test",
        ".table.storage.test",
        "acct.storage.test",
        "acct.file.storage.test",
        "acct.blob.storage.test",
        "acct.table.storage.tes",
        "acct.table.storage.testx",
        "acct.table.storage-test",
        "acct.table.mystorage.test",
        "acct.table.x.storage.test",
        "x.acct.table.storage.test",
        "acct.table..storage.test",
        "acct.table.storage.test..",
        "acct.table.storage.test.evil.example",
        "acct.table.storage.test:80.evil.example",
        "acct.table.storage.test:x",
        "acct.table.storage.test:123456",
        "acct.table.storage.test:80:80",
        "acct.table.[storage.test]",
        "[acct.table.storage.test]",
      })
  void onOnePortEveryOtherHostIsRefused(String host) {
    assertThatThrownBy(() -> address(onOnePort, host, "/acct/t"))
        .isInstanceOf(ServiceException.class)
        .hasMessage("InvalidHeaderValue");
    assertThat(onOnePort.findAccount(TestRequests.of("GET", "/acct/t", "Host", host))).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"nobody", "-secondary", "acct-secondary-secondary", "acct_", "a"})
  void onOnePortThePathNamesNoAccount(String name) {
    String host = name + ".table.storage.test";
    assertThatThrownBy(() -> address(onOnePort, host, "/acct/t"))
        .isInstanceOf(ServiceException.class)
        .hasMessage("ResourceNotFound");
  }

  @ParameterizedTest
  @CsvSource({"'',/acct", "a b,/acct", "a\",/acct", "user@host,/acct", "<x>,/acct"})
  void anInvalidHostIsRefused(String host, String target) {
    assertRefused(host, target, "HostInformationNotPresent");
  }

  private void assertRefused(String host, String target, String code) {
    assertThatThrownBy(() -> address(host, target))
        .isInstanceOf(ServiceException.class)
        .hasMessage(code);
  }

  private Address address(String host, String target) {
    return address(addressing, host, target);
  }

  private static Address address(Addressing step, String host, String target) {
    AtomicReference<Address> found = new AtomicReference<>();
    step.handle(
        TestRequests.of("GET", target, "Host", host),
        request -> {
          found.set(request.address());
          return CompletableFuture.completedFuture(Response.of(200).build());
        });
    return found.get();
  }
}
