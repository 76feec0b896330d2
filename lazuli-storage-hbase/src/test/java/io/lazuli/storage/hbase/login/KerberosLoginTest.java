package io.lazuli.storage.hbase.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.storage.EngineOpenException;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Date;
import java.util.Optional;
import javax.security.auth.kerberos.KerberosPrincipal;
import javax.security.auth.kerberos.KerberosTicket;
import javax.security.auth.login.LoginException;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The settings of a login, and the lines about logins that are not possible. No cluster runs. */
class KerberosLoginTest {
  private static final String KRB5_CONF = "java.security.krb5.conf";
  private static final String REALM = "LAZULI.TEST";
  private static final int RENEWABLE_FLAG = 8;

  private final Configuration site = new Configuration(false);
  private String usedConf;

  @TempDir Path folder;

  /** Nothing listens on the port of the centre. */
  @BeforeEach
  void nameACentre() throws IOException {
    usedConf = System.getProperty(KRB5_CONF);
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    Path conf = folder.resolve("krb5.conf");
    Files.writeString(
        conf,
        """
        [libdefaults]
        default_realm = %1$s
        udp_preference_limit = 1
        kdc_timeout = 1000
        max_retries = 1
        [realms]
        %1$s = {
          kdc = 127.0.0.1:%2$d
        }
        """
            .formatted(REALM, port));
    System.setProperty(KRB5_CONF, conf.toString());
    site.set("hbase.security.authentication", "kerberos");
  }

  @AfterEach
  void restore() {
    if (usedConf == null) {
      System.clearProperty(KRB5_CONF);
    } else {
      System.setProperty(KRB5_CONF, usedConf);
    }
  }

  @Test
  void withoutKerberosTheUserHasTheNameOfTheSettings() {
    site.set("hbase.security.authentication", "simple");
    try (ClusterUser user = ClusterUser.of(site, "lazuli")) {
      assertThat(user.identity().getUserName()).isEqualTo("lazuli");
      assertThat(user.fault()).isEmpty();
    }
  }

  @Test
  void theKeysAreThoseOfHBasesClients() {
    assertThat(KerberosSettings.of(site)).contains(new KerberosSettings(Optional.empty(), false));
    site.set("hbase.client.keytab.file", " /k ");
    site.set("hbase.client.keytab.principal", "lazuli/_HOST@" + REALM);
    site.set("lazuli.zookeeper.sasl", "on");
    KerberosSettings settings = KerberosSettings.of(site).orElseThrow();
    assertThat(settings.zooKeeper()).isTrue();
    assertThat(settings.keytab().orElseThrow().file()).isEqualTo(Path.of("/k"));
    assertThat(settings.keytab().orElseThrow().principal()).matches("lazuli/[^_]+@" + REALM);
    site.set("hbase.security.authentication", "simple");
    assertThat(KerberosSettings.of(site)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "hbase.client.keytab.file,/k,'hbase.client.keytab.file is set, but not hbase.client.keytab.principal'",
    "hbase.client.keytab.principal,p,'hbase.client.keytab.principal is set, but not hbase.client.keytab.file'",
    "lazuli.zookeeper.sasl,perhaps,'lazuli.zookeeper.sasl: expected on or off, found perhaps'",
  })
  void wrongSettingsAreRefused(String key, String value, String message) {
    site.set(key, value);
    assertThatThrownBy(() -> KerberosSettings.of(site))
        .isInstanceOf(EngineOpenException.class)
        .hasMessageStartingWith(message);
  }

  @Test
  void aKeytabThatCannotBeUsedIsNamed() throws IOException {
    Path file = folder.resolve("keytab");
    assertRefused(keytab(file, "lazuli"), "the keytab " + file + " does not exist");
    assertRefused(keytab(folder, "lazuli"), "the keytab " + folder + " cannot be read");
    Files.write(file, new byte[0]);
    assertRefused(keytab(file, "lazuli"), "the keytab " + file + " has no key of lazuli@" + REALM);
    Files.write(file, keytabOf("stranger"));
    assertRefused(keytab(file, "lazuli"), "the keytab " + file + " has no key of lazuli@" + REALM);
  }

  @Test
  void aCentreThatDoesNotAnswerIsReported() throws IOException {
    Path file = Files.write(folder.resolve("keytab"), keytabOf("lazuli"));
    assertRefused(
        keytab(file, "lazuli"), "lazuli with the keytab " + file + ": Connection refused");
  }

  @Test
  void aTicketCacheThatCannotBeUsedIsNamed() throws IOException {
    Path file = folder.resolve("cache");
    assertRefused(
        cache("KCM:0"), "the ticket cache KCM:0 is not a file, and Java reads only files");
    assertRefused(cache("FILE:" + file), "the ticket cache " + file + " does not exist: run kinit");
    Files.write(file, new byte[0]);
    assertRefused(
        cache(file.toString()),
        "the ticket cache " + file + " has no ticket that is valid: run kinit");
  }

  @Test
  void aTicketThatIsNotRenewableIsFollowedOnlyByOneInTheCache() throws IOException {
    Path file = Files.write(folder.resolve("cache"), new byte[0]);
    assertThatThrownBy(() -> cache(file.toString()).after(ticket(false)))
        .isInstanceOf(LoginException.class)
        .hasMessage("the ticket cache " + file + " has no ticket that is valid: run kinit");
    // This one is renewed, which fails because its bytes are not those of a ticket.
    assertThatThrownBy(() -> cache(file.toString()).after(ticket(true)))
        .isInstanceOf(LoginException.class)
        .hasMessageStartingWith("the ticket cache " + file + ": ")
        .hasMessageContaining("Failed to renew");
  }

  /** Returns a ticket with a life of an hour and a content that no centre would accept. */
  private static KerberosTicket ticket(boolean renewable) {
    KerberosPrincipal client = new KerberosPrincipal("lazuli@" + REALM);
    KerberosPrincipal server =
        new KerberosPrincipal("krbtgt/" + REALM + "@" + REALM, KerberosPrincipal.KRB_NT_SRV_INST);
    boolean[] flags = new boolean[32];
    flags[RENEWABLE_FLAG] = renewable;
    Date now = Date.from(Instant.now());
    Date end = Date.from(Instant.now().plusSeconds(3_600));
    return new KerberosTicket(
        new byte[1], client, server, new byte[32], 18, flags, now, now, end, end, null);
  }

  @Test
  void theMessageForOtherJdksNamesTheOnesThatWork() {
    assertThat(
            HadoopJava.unsuitable(
                "Kerberos", Runtime.Version.parse("25.0.1"), new UnsupportedOperationException()))
        .hasMessage(
            "Kerberos cannot be used on Java 25, because Hadoop's client cannot find its user"
                + " there: use Java 17 to 22, or 23 with -Djava.security.manager=allow");
  }

  /** Runs on all versions of Java that the build runs on. */
  @Test
  void kerberosIsRefusedWhereHadoopCannotFindItsUser() {
    int running = Runtime.version().feature();
    if (running <= 22) {
      HadoopJava.requireSuitable("Kerberos");
    } else if (running >= 24) {
      assertThatThrownBy(() -> ClusterUser.of(site, "lazuli"))
          .isInstanceOf(EngineOpenException.class)
          .hasMessageStartingWith("Kerberos cannot be used on Java " + running);
    }
  }

  private static void assertRefused(TicketSource source, String message) {
    assertThatThrownBy(source::ticket)
        .isInstanceOf(LoginException.class)
        .hasMessageStartingWith(message);
  }

  private static TicketSource keytab(Path file, String principal) {
    KerberosSettings.Keytab keytab = new KerberosSettings.Keytab(file, principal);
    return TicketSource.of(new KerberosSettings(Optional.of(keytab), false), null);
  }

  private static TicketSource cache(String name) {
    return TicketSource.of(new KerberosSettings(Optional.empty(), false), name);
  }

  /** Returns a keytab with one key, in the format of the MIT. */
  private static byte[] keytabOf(String principal) throws IOException {
    ByteArrayOutputStream entry = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(entry);
    out.writeShort(1);
    out.writeUTF(REALM);
    out.writeUTF(principal);
    out.writeInt(1);
    out.writeInt(0);
    out.writeByte(1);
    int aes256 = 18;
    out.writeShort(aes256);
    out.writeShort(32);
    out.write(new byte[32]);
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    DataOutputStream file = new DataOutputStream(whole);
    file.writeShort(0x502);
    file.writeInt(entry.size());
    entry.writeTo(file);
    return whole.toByteArray();
  }
}
