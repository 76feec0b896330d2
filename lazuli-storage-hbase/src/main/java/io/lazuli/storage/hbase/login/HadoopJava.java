package io.lazuli.storage.hbase.login;

import io.lazuli.storage.EngineOpenException;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Whether the classes of Hadoop find their user on this JDK. They ask {@code Subject.getSubject},
 * which needs an option on JDK 23 and always throws since JDK 24.
 */
public final class HadoopJava {
  private HadoopJava() {}

  /**
   * Throws if Hadoop cannot find its user. Tries it instead of comparing versions, because on JDK
   * 23 an option decides.
   *
   * @param what what needs this
   * @throws EngineOpenException with one line for the operator
   */
  public static void requireSuitable(String what) {
    try {
      PrivilegedExceptionAction<UserGroupInformation> ask = UserGroupInformation::getCurrentUser;
      UserGroupInformation unused = UserGroupInformation.createRemoteUser("java").doAs(ask);
    } catch (UnsupportedOperationException e) {
      throw unsuitable(what, Runtime.version(), e);
    } catch (IOException e) {
      throw new EngineOpenException(what + " cannot be used: " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EngineOpenException("interrupted while looking for the user", e);
    }
  }

  static EngineOpenException unsuitable(
      String what, Runtime.Version running, UnsupportedOperationException e) {
    return new EngineOpenException(
        "%s cannot be used on Java %d, because Hadoop's client cannot find its user there: use Java 17 to 22, or 23 with -Djava.security.manager=allow"
            .formatted(what, running.feature()),
        e);
  }
}
