-- workspaces.put: remember what a file and its entry have in common
INSERT INTO workspace_files (space, folder, entry, path, hash, state, intent, synced_at, seal)
VALUES (:space, :folder, :entry, :path, :hash, :state, :intent, :synced_at, :seal)
ON CONFLICT (space, folder, entry) DO UPDATE
   SET path = excluded.path, hash = excluded.hash, state = excluded.state,
       intent = excluded.intent, synced_at = excluded.synced_at, seal = excluded.seal;

-- workspaces.of_folder: every file of a folder
SELECT entry, path, hash, state, intent, synced_at FROM workspace_files
 WHERE space = :space AND folder = :folder ORDER BY entry;

-- workspaces.of_entry: where an entry has files
SELECT folder, path FROM workspace_files
 WHERE space = :space AND entry = :entry ORDER BY folder;

-- workspaces.delete: an entry no longer has a file in a folder
DELETE FROM workspace_files WHERE space = :space AND folder = :folder AND entry = :entry;

-- workspaces.delete_of: an entry no longer has files
DELETE FROM workspace_files WHERE space = :space AND entry = :entry;
