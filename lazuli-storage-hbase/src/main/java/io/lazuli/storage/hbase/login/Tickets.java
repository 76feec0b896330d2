package io.lazuli.storage.hbase.login;

import java.io.IOException;
import java.security.AccessController;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import java.util.Set;
import javax.security.auth.Subject;
import javax.security.auth.kerberos.KerberosPrincipal;
import javax.security.auth.kerberos.KerberosTicket;
import org.apache.hadoop.security.SaslRpcServer.AuthMethod;
import org.apache.hadoop.security.UserGroupInformation;

/** The tickets of Hadoop's users. */
final class Tickets {
  private Tickets() {}

  /**
   * Returns a user of Hadoop that has no ticket yet. Hadoop's own logins also ask the system for
   * its user, which fails in containers whose user has no name.
   */
  static UserGroupInformation user(KerberosPrincipal principal) {
    return UserGroupInformation.createRemoteUser(principal.getName(), AuthMethod.KERBEROS);
  }

  /** Returns where a user's tickets are. Hadoop does not show it outside of the user's actions. */
  @SuppressWarnings("removal")
  static Subject subject(UserGroupInformation user) throws IOException {
    try {
      PrivilegedExceptionAction<Subject> ask =
          () -> Subject.getSubject(AccessController.getContext());
      return user.doAs(ask);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  /**
   * Replaces all tickets by one. There is a valid ticket at every moment. Tickets for services are
   * removed too: they belong to the old one, and Java asks for new ones when it needs them. Nothing
   * is destroyed, because a handshake may be using it.
   */
  static void replace(Subject subject, KerberosTicket ticket) {
    Set<Object> credentials = subject.getPrivateCredentials();
    List<KerberosTicket> old = List.copyOf(subject.getPrivateCredentials(KerberosTicket.class));
    subject.getPrincipals().add(ticket.getClient());
    credentials.add(ticket);
    old.stream().filter(each -> !each.equals(ticket)).forEach(credentials::remove);
  }

  /** Returns a ticket that can be renewed while others use this one. */
  static KerberosTicket copy(KerberosTicket ticket) {
    return new KerberosTicket(
        ticket.getEncoded(),
        ticket.getClient(),
        ticket.getServer(),
        ticket.getSessionKey().getEncoded(),
        ticket.getSessionKeyType(),
        ticket.getFlags(),
        ticket.getAuthTime(),
        ticket.getStartTime(),
        ticket.getEndTime(),
        ticket.getRenewTill(),
        ticket.getClientAddresses());
  }
}
