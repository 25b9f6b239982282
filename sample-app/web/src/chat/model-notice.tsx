/** Says plainly that no model answers here. */
export function ModelNotice({ model }: { model: string | null }) {
  if (model !== null) return null;
  return (
    <p className="model-notice">
      <strong>No model answers here:</strong> a stand-in follows a few rules.
      For a real one, start the sample with <code>OPENAI_API_KEY</code>, perhaps{' '}
      <code>OPENAI_BASE_URL</code> and <code>OPENAI_MODEL</code>.
    </p>
  );
}
