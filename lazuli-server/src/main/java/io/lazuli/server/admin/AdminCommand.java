package io.lazuli.server.admin;

import java.util.Map;

/**
 * A command that an operator gives to the running server, for example {@code lazuli backup}.
 *
 * <p>To add a command, add a line to {@code ServerCommands} with its name and a lambda or an object
 * that implements this interface. The command line calls it with {@code AdminClient.call(name,
 * arguments)}. {@link CommandsEndpoint} authenticates the caller, bounds the request and translates
 * the answer.
 */
@FunctionalInterface
public interface AdminCommand {
  /**
   * Runs the command. Commands run one at a time on a thread of their own and may block for a few
   * seconds; those of {@code ServerCommands.WAITING} have another thread, and may block for
   * minutes. A longer task runs on another thread; further commands then ask for its progress.
   *
   * @param arguments values that the command must check; any of them may be missing
   * @return the answer, which the caller gets in this order
   * @throws RefusedCommandException if the command cannot be executed; the caller gets the message
   */
  Map<String, String> run(Map<String, String> arguments);
}
