package io.lazuli.storage.hbase.login;

import io.lazuli.storage.EngineOpenException;
import io.lazuli.storage.thread.BackgroundThread;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import javax.security.auth.Subject;
import javax.security.auth.kerberos.KerberosTicket;
import javax.security.auth.login.LoginException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A login whose ticket is replaced after half of its life. Hadoop's own renewal would throw the old
 * ticket away before it asks for a new one, so that a centre that is away for a minute would end
 * connections whose ticket is valid for hours. Thread-safe.
 */
final class KerberosLogin implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(KerberosLogin.class);
  private static final Duration AFTER_FAILURE = Duration.ofSeconds(30);

  private final TicketSource source;
  private final UserGroupInformation user;
  private final Subject subject;
  private final BackgroundThread thread;
  private volatile KerberosTicket current;
  private volatile String fault = "";

  private KerberosLogin(
      TicketSource source, UserGroupInformation user, Subject subject, KerberosTicket first) {
    this.source = source;
    this.user = user;
    this.subject = subject;
    this.current = first;
    this.thread = new BackgroundThread("lazuli-hbase-login", log::error);
    Tickets.replace(subject, first);
  }

  /**
   * Logs in.
   *
   * @throws EngineOpenException with one line for the operator
   */
  static KerberosLogin begin(KerberosSettings settings, Configuration site) {
    site.set("hadoop.security.authentication", "kerberos");
    TicketSource source = TicketSource.of(settings, System.getenv("KRB5CCNAME"));
    try {
      UserGroupInformation.setConfiguration(site);
      KerberosTicket first = source.ticket();
      UserGroupInformation user = Tickets.user(first.getClient());
      KerberosLogin login = new KerberosLogin(source, user, Tickets.subject(user), first);
      // Calls that fail ask for the login of the process; without one, Hadoop would make its own.
      UserGroupInformation.setLoginUser(user);
      if (settings.zooKeeper()) {
        ZooKeeperLogin.use(login.subject);
      }
      log.info("logged in to Kerberos as {}, until {}", source, TicketLife.of(first).end());
      login.keepAlive();
      return login;
    } catch (LoginException | IOException e) {
      throw refused(e.getMessage(), e);
    } catch (IllegalArgumentException e) {
      // There is no realm for a name in krb5.conf, or the rules for names do not match.
      throw refused(e.toString(), e);
    }
  }

  private static EngineOpenException refused(@Nullable String why, Exception e) {
    return new EngineOpenException("cannot log in to Kerberos: " + why, e);
  }

  private void keepAlive() {
    var unused =
        thread.repeat(TicketLife.of(current).pause(Instant.now()), AFTER_FAILURE, this::step);
    thread.start();
  }

  UserGroupInformation user() {
    return user;
  }

  String fault() {
    return fault.isEmpty() ? thread.trouble() : fault;
  }

  /** Replaces the ticket if it is due. Returns when to look again. */
  private Duration step() {
    Instant now = Instant.now();
    if (!now.isBefore(TicketLife.of(current).due())) {
      replace(now);
    }
    return TicketLife.of(current).pause(Instant.now());
  }

  private void replace(Instant now) {
    try {
      KerberosTicket next = source.after(current);
      Tickets.replace(subject, next);
      current = next;
      if (!fault.isEmpty()) {
        log.info("the Kerberos ticket of {} was replaced", next.getClient());
        fault = "";
      }
    } catch (LoginException e) {
      failed(now, e);
    }
  }

  private void failed(Instant now, LoginException e) {
    Instant end = TicketLife.of(current).end();
    String found =
        "the Kerberos ticket of %s %s at %s, and there is no new one: %s"
            .formatted(
                current.getClient(), now.isBefore(end) ? "ends" : "ended", end, e.getMessage());
    if (!found.equals(fault)) {
      fault = found;
      log.warn(found);
    }
  }

  @Override
  public void close() {
    thread.close();
  }
}
