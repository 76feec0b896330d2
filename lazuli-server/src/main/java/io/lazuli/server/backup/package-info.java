/**
 * Backups of the store: incremental copies of its cuts in a folder or a container, and what is made
 * of them again.
 */
@NullMarked
package io.lazuli.server.backup;

import org.jspecify.annotations.NullMarked;
