package io.lazuli.storage.hbase.login;

import java.util.List;
import java.util.Map;
import javax.security.auth.Subject;
import javax.security.auth.callback.CallbackHandler;
import javax.security.auth.kerberos.KerberosTicket;
import javax.security.auth.login.LoginException;
import javax.security.auth.spi.LoginModule;
import org.jspecify.annotations.Nullable;

/**
 * A login that takes over the ticket of the engine's own login. Public with a public constructor,
 * because Java makes it by its name.
 */
public final class SharedTickets implements LoginModule {
  /** Where the ticket is. */
  static volatile @Nullable Subject shared;

  private @Nullable Subject subject;
  private @Nullable KerberosTicket ticket;

  @Override
  public void initialize(
      Subject newSubject,
      CallbackHandler handler,
      Map<String, ?> sharedState,
      Map<String, ?> options) {
    subject = newSubject;
  }

  @Override
  public boolean login() throws LoginException {
    Subject source = shared;
    if (source == null) {
      throw new LoginException("the engine has not logged in");
    }
    List<KerberosTicket> tickets =
        source.getPrivateCredentials(KerberosTicket.class).stream()
            .filter(TicketSource::isInitial)
            .toList();
    if (tickets.isEmpty()) {
      throw new LoginException("the engine has no ticket");
    }
    ticket = tickets.get(tickets.size() - 1);
    return true;
  }

  @Override
  public boolean commit() {
    KerberosTicket taken = ticket;
    Subject target = subject;
    if (taken != null && target != null) {
      Tickets.replace(target, taken);
    }
    return true;
  }

  @Override
  public boolean abort() {
    return logout();
  }

  /** Gives the ticket up. It is not destroyed, because the engine uses it. */
  @Override
  public boolean logout() {
    Subject target = subject;
    if (target != null) {
      target.getPrivateCredentials().removeAll(target.getPrivateCredentials(KerberosTicket.class));
    }
    return true;
  }
}
