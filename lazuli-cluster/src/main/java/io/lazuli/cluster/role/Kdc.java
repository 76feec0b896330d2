package io.lazuli.cluster.role;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Properties;
import org.apache.hadoop.minikdc.MiniKdc;

/** The key distribution centre of a cluster with Kerberos. */
public final class Kdc {
  private Kdc() {}

  /**
   * Takes the folder of its database, its port, the seconds of the longest ticket, and for each
   * keytab its file, followed by principals in the same argument. It answers once the last keytab
   * exists.
   */
  public static void main(String[] arguments) throws Exception {
    Properties settings = MiniKdc.createConf();
    settings.setProperty(MiniKdc.ORG_NAME, "LAZULI");
    settings.setProperty(MiniKdc.ORG_DOMAIN, "TEST");
    settings.setProperty(MiniKdc.KDC_BIND_ADDRESS, "127.0.0.1");
    settings.setProperty(MiniKdc.KDC_PORT, arguments[1]);
    settings.setProperty(MiniKdc.TRANSPORT, "TCP");
    settings.setProperty(MiniKdc.MAX_TICKET_LIFETIME, arguments[2]);
    settings.setProperty(MiniKdc.MIN_TICKET_LIFETIME, "1");
    String used = System.getProperty(MiniKdc.JAVA_SECURITY_KRB5_CONF);
    MiniKdc kdc = new MiniKdc(settings, new File(arguments[0]));
    kdc.start();
    System.setProperty(MiniKdc.JAVA_SECURITY_KRB5_CONF, used);
    for (int i = 3; i < arguments.length; i++) {
      String[] words = arguments[i].split(" ", 2);
      Path keytab = Path.of(words[0]);
      Path partial = keytab.resolveSibling(keytab.getFileName() + ".part");
      kdc.createPrincipal(partial.toFile(), words[1].split(" ", -1));
      Files.move(partial, keytab, StandardCopyOption.ATOMIC_MOVE);
    }
  }
}
